// Invitations as people paste them, and the words for those that cannot work.

import assert from 'node:assert/strict';
import test from 'node:test';

import { encode } from '../groupactivities/base64url.js';
import { Invitation } from '../groupactivities/invitation.js';
import { counting } from './support/bytes.js';
import { isCode } from './support/claims.js';

const id = encode(counting(16));
const secret = encode(counting(32, 16));
const link = `https://hearth.example/c/${id}#1.${secret}`;

test('a link holds the relay, the conversation and the secret, and comes back', () => {
  const invitation = Invitation.parse(link);
  assert.deepEqual([invitation.origin, invitation.conversationId, invitation.secret, invitation.link], ['https://hearth.example', id, counting(32, 16), link]);
});

test('a new invitation reads back as itself and is like no other', () => {
  const invitation = Invitation.create('http://localhost:8080/gallery/?x#y');
  assert.match(invitation.link, /^http:\/\/localhost:8080\/c\/[\w-]{22}#1\.[\w-]{43}$/);
  assert.deepEqual(Invitation.parse(invitation.link), invitation);
  assert.notEqual(Invitation.create('http://localhost:8080').link, invitation.link);
});

const wrapped = {
  'spaces and line ends': `  \n${link}\r\n`,
  'a full stop': `${link}.`,
  'a bracket and a comma': `(${link}),`,
  'angle brackets': `<${link}>`,
  'quotation marks': `"${link}"`,
  'a sentence': `Come and look: ${link} – see you!`,
  'Markdown': `[photos](${link})`,
  'HTML': `<a href="${link}">photos</a>`,
  'an encoded #': link.replace('#', '%23'),
  'an encoded full stop': link.replace('#1.', '#1%2E'),
  'everything encoded': encodeURIComponent(link),
  'everything encoded twice': encodeURIComponent(encodeURIComponent(link)),
  'a forwarding page': `https://forward.example/url?q=${encodeURIComponent(link)}&sa=D`,
  'a slash behind the conversation': link.replace('#', '/#'),
  'capital letters in the scheme and host': link.replace('https://hearth', 'HTTPS://HEARTH'),
  'a zero-width space behind it': `${link}\u200b`,
  'the default port': link.replace('.example', '.example:443'),
};
for (const [what, text] of Object.entries(wrapped)) {
  test(`an invitation with ${what} is read`, () => assert.equal(Invitation.parse(text).link, link));
}

test('an invitation that is cut at any character says that it is incomplete', () => {
  for (let length = 'https://hearth.example'.length; length < link.length; length += 1) {
    assert.throws(() => Invitation.parse(link.slice(0, length)), isCode('invitation-incomplete'), link.slice(0, length));
  }
});

const damaged = {
  'no link': 'hello',
  'nothing': '',
  'another page': 'https://hearth.example/other#1.abc',
  'another scheme': link.replace('https', 'ftp'),
  'a script': `javascript:alert('${link.slice(8)}')`,
  'no scheme': link.slice('https://'.length),
  'a name and password': link.replace('https://', 'https://me:you@'),
  'a character too many in the secret': `${link}A`,
  'a last character that cannot be': `${link.slice(0, -1)}_`,
  'a conversation that is too long': link.replace('#', 'A#'),
  'a conversation that is too short': link.replace(`${id}#`, `${id.slice(1)}#`),
  'a conversation whose last character cannot be': link.replace(`${id}#`, `${id.slice(0, -1)}x#`),
  'something else behind #': link.replace('#1.', '#about'),
  'a host that cannot be': link.replace('hearth.example', 'hearth.example:99999'),
};
for (const [what, text] of Object.entries(damaged)) {
  test(`an invitation is called damaged: ${what}`, () => {
    assert.throws(() => Invitation.parse(text), isCode('invitation-damaged'));
  });
}

test('an invitation of a later version is called unsupported, whatever its secret looks like', () => {
  for (const fragment of [`2.${secret}`, '2.', '17.abc', `01.${secret}`]) {
    assert.throws(() => Invitation.parse(link.replace(`1.${secret}`, fragment)), isCode('invitation-unsupported'), fragment);
  }
});

test('a very long text is read no further than it may be, without delay', () => {
  assert.throws(() => Invitation.parse(`${'https://a'.repeat(300_000)}`), isCode('invitation-damaged'));
  assert.throws(() => Invitation.parse(`https://h/c/${id}#1.${'A'.repeat(1_000_000)}`), isCode('invitation-damaged'));
});

test('an invitation cannot be made for what is no web address', () => {
  for (const origin of ['', 'hearth.example', 'file:///tmp', 'javascript:alert(1)', 'ws://hearth.example']) {
    assert.throws(() => Invitation.create(origin), isCode('invitation-damaged'), origin);
  }
});
