// A large attachment over a slow link, sent or loaded by either client: the connection lasts, and messages pass it by. Run by scripts/slow-link.
// node --experimental-websocket Tests/crash/slow-link.mjs [--megabytes 95] [--client browser|swift] [--way send|load] [--slow COMMAND]; HEARTH names another relay than the
// built one, HEARTH_PARTICIPANT another Swift participant. COMMAND makes this machine's own link slow.

import assert from 'node:assert/strict';
import { execSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

import { Conversation, GroupSessionMessenger } from '../../Web/groupactivities/index.js';
import { RelayProcess } from '../../Web/tests/real-relay/relay-process.js';
import { photo } from '../../Web/tests/support/person.js';

const { values } = parseArgs({
  options: { megabytes: { type: 'string', default: '95' }, client: { type: 'string', default: 'browser' }, way: { type: 'string', default: 'send' }, slow: { type: 'string', default: 'true' } },
});
const roundTripLimitMilliseconds = 1_000;
const activityIdentifier = 'org.example.Benchmark';
const sleep = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const path = (/** @type {string} */ name) => new URL(`../../${name}`, import.meta.url).pathname;
const commands = {
  browser: [process.execPath, '--no-warnings', '--experimental-websocket', path('Benchmarks/participant.mjs')],
  swift: [process.env.HEARTH_PARTICIPANT ?? path('.build/release/BenchmarkParticipant')],
};

/** A client in a process of its own. */
class Participant {
  #lines;

  /** @param {'browser' | 'swift'} client */
  constructor(client) {
    const [program, ...options] = commands[client];
    this.process = spawn(program, options, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  /** @param {Record<string, unknown>} order @returns {Promise<Record<string, unknown>>} what it did */
  async ask(order) {
    this.process.stdin.write(`${JSON.stringify(order)}\n`);
    const { value } = await this.#lines.next();
    const report = JSON.parse(value ?? '{"failed":"the process ended"}');
    assert.equal(report.did, order.do, value);
    return report;
  }
}

/** Somebody whose messages the participant says back. */
class Companion {
  heardCount = 0;

  /** @param {Conversation} conversation */
  async enter(conversation) {
    for await (const session of conversation.sessions(activityIdentifier)) {
      this.messenger = new GroupSessionMessenger(session);
      void this.#listen(this.messenger);
      session.join();
      while (session.state !== 'joined') await sleep(5);
      return;
    }
  }

  /** @param {GroupSessionMessenger} messenger */
  async #listen(messenger) {
    for await (const { message } of messenger.messages()) {
      assert.equal(message, this.heardCount);
      this.heardCount += 1;
    }
  }

  /** Says something and waits until it comes back. @returns {Promise<number>} milliseconds */
  async exchange() {
    const [sent, count] = [performance.now(), this.heardCount];
    void this.messenger?.send(count);
    while (this.heardCount === count) await sleep(1);
    return performance.now() - sent;
  }
}

/** @param {number[]} trips @param {number} seconds @param {number} connections @param {number} people */
function conclude(trips, seconds, connections, people) {
  const megabytes = Number(values.megabytes);
  const ordered = trips.toSorted((left, right) => left - right);
  const [median, slowest] = [ordered[Math.floor(ordered.length / 2)], ordered[ordered.length - 1]];
  process.stdout.write(
    `slow link, ${values.client} ${values.way}: ${megabytes} MB in ${seconds.toFixed(0)} s (${(megabytes / seconds).toFixed(2)} MB/s), ${trips.length} messages there and back, `
      + `median ${median.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms, ${connections} connections of ${people} participants\n`,
  );
  assert.equal(connections, people, 'a connection was lost');
  assert.ok(slowest < roundTripLimitMilliseconds, `a message took ${slowest.toFixed(0)} ms there and back`);
}

const relay = new RelayProcess();
const folder = mkdtempSync(join(tmpdir(), 'hearth-slow-link-'));
const client = values.client === 'swift' ? 'swift' : 'browser';
/** @type {Participant[]} */
const participants = [];
try {
  await relay.start();
  const file = join(folder, 'sent');
  writeFileSync(file, new Uint8Array(await photo(Number(values.megabytes) * 1_000_000).arrayBuffer()));
  const conversation = await Conversation.create({ relay: relay.origin, name: 'Ben' });
  await conversation.activate({ activityIdentifier, activity: {} });
  const companion = new Companion();
  await companion.enter(conversation);
  /** @param {string} name */
  const entered = async (name) => {
    const participant = new Participant(client);
    participants.push(participant);
    await participant.ask({ do: 'join', link: conversation.invitation.link, name });
    await participant.ask({ do: 'enter' });
    return participant;
  };
  // What is to be loaded is put there while the link is still quick.
  if (values.way === 'load') await (await entered('Cleo')).ask({ do: 'send', files: [file] });
  const ana = await entered('Ana');
  await ana.ask({ do: 'echo' });
  execSync(values.slow, { stdio: 'inherit' });
  const started = performance.now();
  const state = { isOver: false };
  const transfer = ana.ask(values.way === 'load' ? { do: 'receive', count: 1, into: folder } : { do: 'send', files: [file] }).then(() => { state.isOver = true; });
  /** @type {number[]} */
  const trips = [];
  while (!state.isOver) {
    trips.push(await companion.exchange());
    await sleep(200);
  }
  await transfer;
  const seconds = (performance.now() - started) / 1_000;
  const metrics = await (await fetch(`${relay.origin}/metrics`)).text();
  conclude(trips, seconds, Number(/^hearth_participant_connections_total (\d+)$/m.exec(metrics)?.[1]), participants.length + 1);
} finally {
  for (const participant of participants) participant.process.kill();
  rmSync(folder, { recursive: true, force: true });
  await relay.erase();
}
process.exit();
