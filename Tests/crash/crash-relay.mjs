// Kills the relay itself (`kill -9`) again and again while people talk, share, come and go, and some of them too, and holds it to its promises: nothing that was acknowledged is lost,
// nothing comes twice, everybody is back by itself. node --experimental-websocket Tests/crash/crash-relay.mjs --kills 200 [--seed N]; HEARTH, CRASH_PERFORMER and CHROMIUM name other programs.

import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';

import { Mutation } from '../../Fuzzing/mutation.mjs';
import { RelayProcess } from '../../Web/tests/real-relay/relay-process.js';
import { Crowd, begun } from './crowd.mjs';
import { Deaths } from './deaths.mjs';
import { sleep, within } from './patience.mjs';
import { Returns } from './returns.mjs';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    // On a machine with nothing else to do 5 s are promised; a busy one is slower than any promise.
    'recovery-seconds': { type: 'string', default: 'Infinity' },
    'resume-window-seconds': { type: 'string', default: '10' },
  },
});
const [kills, seed, recoverySeconds, windowSeconds] = [values.kills, values.seed, values['recovery-seconds'], values['resume-window-seconds']].map(Number);
/**
 * For a window after a restart nothing is called stable, and who crashes more often keeps all that it said since. So now and then the relay is left alone for longer, or the limit of a session's log
 * would, as it should, cost whoever is last its place. That is when people die while the relay lives: their places are given up in that time.
 */
const roundsBetweenRests = 20;
const roundsBetweenDeaths = 3;

const dice = new Mutation(seed);
const relay = new RelayProcess();
const crowd = new Crowd(dice);
const returns = new Returns(recoverySeconds * 1_000);
const deaths = new Deaths(crowd, dice, returns);
const began = performance.now();
let killCount = 0;

const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);
const seconds = () => `${Math.round((performance.now() - began) / 1_000)} s`;
// Pages of the participants come from another origin than the relay's.
const start = () => within('the relay is up', relay.start('--resume-window-seconds', String(windowSeconds), '--allow-origin', '*'));

async function playRound() {
  const round = { isOver: false };
  const work = [crowd.work(round)];
  if (killCount % roundsBetweenDeaths === 1) work.push(begun('one has died and has come back', deaths.oneDies(round)));
  await sleep(dice.below(400));
  const survivors = [...crowd.people];
  await within('the relay is dead', relay.stop('SIGKILL'));
  killCount += 1;
  // Who has not noticed yet would be taken for somebody who is back.
  await crowd.until('everybody has noticed', () => survivors.every((person) => !person.isConnected || person.isGone));
  if (dice.below(4) === 0) await sleep(dice.below(300));
  await start();
  await returns.recover(crowd, survivors, `kill ${killCount}`);
  await sleep(dice.below(100));
  round.isOver = true;
  await Promise.all(work);
  await crowd.settle();
}

async function end() {
  await crowd.end();
  await within('the relay is erased', relay.erase());
}

// Whatever ends the run, nothing of it goes on.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => void end().finally(() => process.exit(1)));
process.once('uncaughtException', (error) => {
  say(`crash: FAILED after ${killCount} kills (seed ${seed})\n${error.stack}`);
  void end().finally(() => process.exit(1));
});

function sum() {
  const { messages, attachments, removals, loads, joins } = crowd.figures;
  const died = [...deaths.counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
  say(`crash: ${killCount} kills of the relay; of participants: ${died} (seed ${seed}, ${seconds()})`);
  say(`crash: ${messages} messages, ${attachments} attachments, ${removals} removals, ${loads} loads, ${joins} joins`);
  say(`crash: everybody back and caught up after ${returns.median} ms (median), ${returns.worst} ms (slowest); ${returns.late.length} past ${recoverySeconds} s${returns.late.map((line) => `\n  ${line}`).join('')}`);
}

try {
  await start();
  await crowd.gather(relay.origin);
  for (let count = 1; count <= kills; count += 1) {
    await playRound();
    if (count % roundsBetweenRests !== 0 && count !== kills) continue;
    await deaths.twoDie(windowSeconds);
    say(`${count} kills, ${crowd.people.length} people, ${seconds()}`);
  }
  await crowd.part();
  sum();
  assert.equal(returns.late.length, 0, `something took longer than ${recoverySeconds} s`);
  say('crash: nothing lost, nothing twice');
} catch (error) {
  say(`crash: FAILED after ${killCount} kills (seed ${seed})`);
  say(error instanceof Error ? String(error.stack) : String(error));
  say(`what everybody in this process sent and was sent last: ${crowd.writeTapes().join(' ')}`);
  process.exitCode = 1;
} finally {
  await end();
}
process.exit();
