// What the page of a browser participant runs: orders come as events of its server, and what there is to tell goes back by requests, in order.

import { Performer } from './performer.mjs';

/** @type {import('./performer.mjs').Told[]} */
let waiting = [];
let isSending = false;
let sentCount = 0;

/** @param {import('./performer.mjs').Told} told */
async function tell(told) {
  waiting.push(told);
  if (isSending) return;
  isSending = true;
  while (waiting.length > 0) {
    sentCount += 1;
    const body = JSON.stringify({ number: sentCount, told: waiting });
    waiting = [];
    await untilTaken(body);
  }
  isSending = false;
}

/** As often as it takes: the server knows by its number what it has had. @param {string} body */
async function untilTaken(body) {
  for (;;) {
    try {
      await fetch(`told${location.search}`, { method: 'POST', body, signal: AbortSignal.timeout(2_000) });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

const performer = new Performer((told) => void tell(told));
new EventSource(`orders${location.search}`).onmessage = ({ data }) => void performer.obey(JSON.parse(data));
