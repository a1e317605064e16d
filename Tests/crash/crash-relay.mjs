// Kills the relay itself (`kill -9`) again and again while people talk, share, come and go, and holds it to its promises: nothing that was acknowledged is lost,
// nothing comes twice, everybody is back by itself. node --experimental-websocket Tests/crash/crash-relay.mjs --kills 200 [--seed N]; HEARTH names another relay than the built one.

import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';

import { Mutation } from '../../Fuzzing/mutation.mjs';
import { Conversation, Invitation } from '../../Web/groupactivities/index.js';
import { RelayProcess } from '../../Web/tests/real-relay/relay-process.js';
import { Tape } from './tape.mjs';
import { Witness } from './witness.mjs';

const { values } = parseArgs({ options: { kills: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' }, 'recovery-seconds': { type: 'string', default: '30' } } });
const dice = new Mutation(Number(values.seed));
const kills = Number(values.kills);
const relay = new RelayProcess();

/** On a machine with nothing else to do 5 s are promised; a busy one is slower than any promise. */
const recoveryLimitMilliseconds = Number(values['recovery-seconds']) * 1_000;
const roundLimitMilliseconds = 120_000;
const residentCount = 3;
/**
 * For so long after a restart nothing is called stable, and who crashes more often keeps all that it said since. So now and then the relay is left alone for longer, or the limit of a session's log
 * would, as it should, cost whoever is last its place.
 */
const resumeWindowSeconds = 30;
const roundsBetweenRests = 20;
const attachmentCountLimit = 12;

/** @type {Witness[]} */
let people = [];
const figures = { kills: 0, messages: 0, attachments: 0, loads: 0, removals: 0, joins: 0, slowestRecoveryMilliseconds: 0 };
/** By name. @type {Map<string, Tape>} */
const tapes = new Map();
/** @type {number[]} */
const recoveries = [];

const sleep = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

/**
 * @param {string} what
 * @param {() => unknown} condition
 * @param {number} [limitMilliseconds]
 */
async function until(what, condition, limitMilliseconds = roundLimitMilliseconds) {
  const started = performance.now();
  while (!condition()) {
    for (const person of people) person.check();
    const waited = performance.now() - started;
    assert.ok(waited < limitMilliseconds, `not within ${limitMilliseconds} ms: ${what}\n${people.map((person) => person.toString()).join('\n')}`);
    await sleep(2);
  }
  return performance.now() - started;
}

/** @param {Conversation} conversation @param {Tape} tape */
async function enter(conversation, tape) {
  const person = new Witness(conversation);
  tapes.set(person.name, tape);
  people.push(person);
  await until(`${person.name} is in the session`, () => person.isIn);
  return person;
}

async function join() {
  figures.joins += 1;
  // The link is good whatever the relay is doing just now.
  const tape = new Tape();
  const environment = { network: { WebSocket: tape.WebSocket } };
  const conversation = await Conversation.join(Invitation.parse(people[0].conversation.invitation.link), { name: `Guest ${figures.joins}`, environment });
  return enter(conversation, tape);
}

/** Talks until told to stop. @param {Witness} person @param {{ isOver: boolean }} round */
async function talk(person, round) {
  while (!round.isOver && !person.isGone) {
    figures.messages += 1;
    person.say(dice.below(100) === 0 ? 50_000 : dice.below(200));
    await sleep(20 + dice.below(60));
  }
}

/** @param {Witness} person @param {{ isOver: boolean }} round */
async function share(person, round) {
  while (!round.isOver && !person.isGone) {
    if (person.standing.length >= attachmentCountLimit) {
      figures.removals += 1;
      await person.remove(dice.below(person.standing.length));
    } else {
      figures.attachments += 1;
      void person.add(Uint8Array.from({ length: 1_000 + dice.below(3) * 1_300_000 }, (_, index) => index * 31 + figures.attachments));
    }
    await sleep(50 + dice.below(100));
  }
}

/** @param {{ isOver: boolean }} round */
async function comeAndGo(round) {
  await sleep(dice.below(100));
  const guest = await join();
  void talk(guest, round);
  await sleep(dice.below(150));
  if (dice.below(2) === 0 && people.length > residentCount + 2) {
    const leaver = people[residentCount];
    people = people.filter((person) => person !== leaver);
    await leaver.leave();
  }
}

async function playRound() {
  const round = { isOver: false };
  const work = [...people.map((person) => talk(person, round)), share(people[dice.below(residentCount)], round)];
  if (dice.below(3) === 0) work.push(comeAndGo(round));
  await sleep(dice.below(400));
  await relay.stop('SIGKILL');
  figures.kills += 1;
  if (dice.below(4) === 0) await sleep(dice.below(300));
  await start();
  const recovery = await until('everybody is back', () => people.every((person) => person.conversation.state === 'connected'), recoveryLimitMilliseconds);
  recoveries.push(recovery);
  await sleep(dice.below(100));
  round.isOver = true;
  await Promise.all(work);
  await settle();
}

/** Everything that was said has its place, everybody has heard it, and all see the same attachments. */
async function settle() {
  await until('everything that was said has its place', () => people.every((person) => person.isQuiet));
  await until('everybody has heard everything', () => people.every((listener) => people.every((sender) => listener.hasHeard(sender))));
  const standing = people.flatMap((person) => person.standing.map(({ id }) => id)).sort();
  await until('all see the attachments that stand', () => people.every((person) => same(person.seen, standing)));
  for (const person of people) person.check();
  const owners = people.filter((person) => person.standing.length > 0);
  if (owners.length === 0) return;
  const owner = dice.pick(owners);
  const { id, bytes } = dice.pick(owner.standing);
  const reader = dice.pick(people.filter((person) => person !== owner));
  figures.loads += 1;
  assert.deepEqual(await reader.load(id), bytes, `${reader.name} loads what ${owner.name} has shared`);
}

/** @param {string[]} seen @param {string[]} standing */
function same(seen, standing) {
  return seen.length === standing.length && seen.every((id, index) => id === standing[index]);
}

const start = () => relay.start('--resume-window-seconds', String(resumeWindowSeconds));

await start();
try {
  const tape = new Tape();
  const host = await Conversation.create({ relay: relay.origin, name: 'Host', environment: { network: { WebSocket: tape.WebSocket } } });
  await host.activate({ activityIdentifier: Witness.activity });
  await enter(host, tape);
  while (people.length < residentCount) await join();
  for (let count = 0; count < kills; count += 1) {
    await playRound();
    if ((count + 1) % roundsBetweenRests === 0 && count + 1 < kills) await sleep((resumeWindowSeconds + 2) * 1_000);
    if ((count + 1) % 20 === 0) say(`${count + 1} kills, ${people.length} people`);
  }
  recoveries.sort((left, right) => left - right);
  const [median, slowest] = [recoveries[Math.floor(recoveries.length / 2)], recoveries[recoveries.length - 1]];
  say(
    `crash: ${figures.kills} kills (seed ${values.seed}), ${figures.messages} messages, ${figures.attachments} attachments, ${figures.removals} removals, ${figures.loads} loads, `
      + `${figures.joins} joins: nothing lost, nothing twice; back after ${Math.round(median)} ms (median), ${Math.round(slowest)} ms (slowest)`,
  );
  for (const person of people) await person.leave();
} catch (error) {
  say(`crash: FAILED after ${figures.kills} kills (seed ${values.seed})`);
  say(error instanceof Error ? String(error.stack) : String(error));
  say(`what everybody sent and was sent last: ${[...tapes].map(([name, tape]) => tape.write(name)).join(' ')}`);
  process.exitCode = 1;
} finally {
  await relay.erase();
}
process.exit();
