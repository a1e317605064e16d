// One connected participant without a browser, told what to do line by line, so that a benchmark can time several of them.
//
// In: {"do":"create","relay":…} {"do":"join","link":…} {"do":"enter"} {"do":"send","files":[…]} {"do":"receive","count":…} {"do":"check"} {"do":"echo"} {"do":"leave"}
// Out, one line for each: {"did":…, …}. What is sent and received travels while further orders are obeyed; from `echo` on whatever another says is said back.

import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { createInterface } from 'node:readline';

import { Conversation, GroupSessionJournal, GroupSessionMessenger, Invitation } from '../Web/groupactivities/index.js';

const activityIdentifier = 'org.example.Benchmark';

/** @type {Conversation | undefined} */
let conversation;
/** @type {GroupSessionJournal | undefined} */
let journal;
/** @type {GroupSessionMessenger | undefined} */
let messenger;
/** @type {Blob[]} */
let received = [];
/** Attachments taken already by an earlier `receive`. @type {Set<string>} */
const taken = new Set();

/** @param {Record<string, unknown>} report */
const say = (report) => console.log(JSON.stringify(report));

function entered() {
  if (!conversation || !journal) throw new Error('not in a session yet');
  return { conversation, journal };
}

async function enter() {
  if (!conversation) throw new Error('not in a conversation yet');
  for await (const session of conversation.sessions(activityIdentifier)) {
    journal = new GroupSessionJournal(session);
    messenger = new GroupSessionMessenger(session);
    session.join();
    break;
  }
  const present = entered().journal;
  if (!present.isComplete) await new Promise((resolve) => present.addEventListener('completechange', resolve, { once: true }));
}

/** @param {string[]} files */
async function send(files) {
  const items = await Promise.all(files.map((path) => openAsBlob(path)));
  const attachments = await Promise.all(items.map((item, number) => entered().journal.add(item, { metadata: { number } })));
  await Promise.all(attachments.map((attachment) => attachment.uploaded));
}

/** Loads `count` attachments that were not there before. @param {number} count @returns {Promise<Blob[]>} */
async function receive(count) {
  /** @type {Promise<Blob>[]} */
  const loads = [];
  for await (const list of entered().journal.attachments) {
    for (const attachment of list) {
      if (taken.has(attachment.id) || loads.length === count) continue;
      taken.add(attachment.id);
      loads.push(attachment.load());
    }
    if (loads.length === count) break;
  }
  return Promise.all(loads);
}

async function echo() {
  if (messenger) for await (const { message } of messenger.messages()) await messenger.send(message);
}

/** @param {any} order */
async function obey(order) {
  switch (order.do) {
    case 'create':
      conversation = await Conversation.create({ relay: order.relay, name: 'Sender' });
      await conversation.activate({ activityIdentifier, activity: {}, metadata: { title: 'Benchmark', type: 'generic' } });
      return say({ did: 'create', link: conversation.invitation.link });
    case 'join':
      conversation = await Conversation.join(Invitation.parse(order.link), { name: order.name });
      return say({ did: 'join' });
    case 'enter':
      await enter();
      return say({ did: 'enter' });
    case 'send':
      await send(order.files);
      return say({ did: 'send' });
    case 'receive':
      received = await receive(order.count);
      return say({ did: 'receive' });
    case 'check': {
      // An order of its own, so that it takes no time from those who are still receiving.
      const digests = await Promise.all(received.map(async (blob) => createHash('sha256').update(new Uint8Array(await blob.arrayBuffer())).digest('hex')));
      return say({ did: 'check', digests: digests.sort() });
    }
    case 'echo':
      void echo();
      return say({ did: 'echo' });
    case 'leave':
      await conversation?.leave();
      say({ did: 'leave' });
      return process.exit(0);
    default:
      throw new Error(`unknown order ${order.do}`);
  }
}

/** @param {string} line */
async function heard(line) {
  try {
    await obey(JSON.parse(line));
  } catch (error) {
    say({ failed: String(error), stack: error instanceof Error ? error.stack : '' });
    process.exit(1);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const obeyed = heard(line);
  if (!/"do": ?"(send|receive)"/.test(line)) await obeyed;
}
