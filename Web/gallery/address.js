// Takes the invitation out of the address bar and keeps what a reload needs to come back.

// The invitation is kept in sessionStorage: of this tab only, gone with it, and erased on leaving. Phones throw pages away in the
// background and people press reload; without it they would stand before a page that has forgotten where they were. A script that could
// read it there could read it from memory as well, and the link itself is in the history of whatever program it was sent by. Not in
// localStorage: other tabs and later days have no business with it.
const invitationKey = 'hearth.invitation';
const openedKey = 'hearth.opened';
const ticketKey = 'hearth.ticket';
const passKey = 'hearth.pass';
const unsentKey = 'hearth.unsent';
const removalsKey = 'hearth.removals';
const wallKey = 'hearth.wall';
const nameKey = 'hearth.name';
const personKey = 'hearth.person';
const languageKey = 'hearth.language';

/**
 * Call it before anything else.
 * @returns {{ isInvitation: boolean, link: string }} the address as it was, if it leads to a conversation
 */
export function takeLink() {
  const { href, pathname, search } = location;
  const isInvitation = pathname.startsWith('/c/') || pathname === '/c';
  const hasKey = location.hash !== '';
  if (hasKey) history.replaceState(null, '', pathname + search);
  if (!isInvitation) return { isInvitation, link: '' };
  // A page that is thrown away before one has joined would else stand before a link without its key.
  if (hasKey) write(sessionStorage, openedKey, href);
  const opened = read(sessionStorage, openedKey);
  return { isInvitation, link: !hasKey && opened !== null && new URL(opened).pathname === pathname ? opened : href };
}

/** Whether this tab was in the conversation that its address names. @returns {string | null} its link */
export function keptLink() {
  const link = read(sessionStorage, invitationKey);
  return link !== null && new URL(link).pathname === location.pathname ? link : null;
}

/** Photos that are shared to the page in a tab that was in a conversation belong into that conversation. */
export function returnToKeptLink() {
  const link = read(sessionStorage, invitationKey);
  if (link !== null) history.replaceState(null, '', new URL(link).pathname);
}

/** @param {string} link */
export function keepLink(link) {
  write(sessionStorage, invitationKey, link);
  write(sessionStorage, openedKey, null);
  history.replaceState(null, '', new URL(link).pathname);
}

/** Nothing in this tab remembers the conversation any more. */
export function forgetLink() {
  write(sessionStorage, invitationKey, null);
  write(sessionStorage, unsentKey, null);
  write(sessionStorage, removalsKey, null);
  write(sessionStorage, wallKey, null);
  write(sessionStorage, ticketKey, null);
  write(sessionStorage, passKey, null);
  history.replaceState(null, '', '/');
}

/** @param {string[]} names of photos that are not fully sent, so that a reload can tell which were lost */
export function keepUnsent(names) {
  write(sessionStorage, unsentKey, names.length === 0 ? null : JSON.stringify(names.slice(0, 100)));
}

/** @returns {string[]} */
export function takeUnsent() {
  const names = readNames(unsentKey);
  write(sessionStorage, unsentKey, null);
  return names;
}

/** Removals that are asked for and not done. Written at once, unlike what is in a database, so that no reload is too quick for it. @param {string[]} names of photos and attachments, which say nothing to anyone else */
export function keepRemovals(names) {
  write(sessionStorage, removalsKey, names.length === 0 ? null : JSON.stringify(names));
}

/** @returns {string[]} */
export function keptRemovals() {
  return readNames(removalsKey);
}

/** @param {string} key @returns {string[]} */
function readNames(key) {
  try {
    const names = JSON.parse(read(sessionStorage, key) ?? '[]');
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

/** Of the participation of this tab: a page that is thrown away cannot say that it leaves, and the next one does it. @param {string} ticket */
export function keepTicket(ticket) {
  write(sessionStorage, ticketKey, ticket);
}

/** @returns {string | undefined} */
export function keptTicket() {
  return read(sessionStorage, ticketKey) ?? undefined;
}

/** Lets this tab back in past the conversation's door. @param {string | null} pass */
export function keepPass(pass) {
  write(sessionStorage, passKey, pass);
}

/** @returns {string | undefined} */
export function keptPass() {
  return read(sessionStorage, passKey) ?? undefined;
}

/** This tab is a wall, also after a reload. @param {string} name under which it takes part */
export function keepWall(name) {
  write(sessionStorage, wallKey, name);
}

/** @returns {string} the name under which this tab takes part as a wall, or nothing */
export function keptWall() {
  return read(sessionStorage, wallKey) ?? '';
}

/** The name somebody used last, as a convenience. */
export function keptName() {
  return read(localStorage, nameKey) ?? '';
}

/** @param {string} name */
export function keepName(name) {
  write(localStorage, nameKey, name);
}

/** @returns {string} a name by which reactions are known to be of whoever sits here, in this tab and after a reload of it; tells nothing of anyone */
export function keptPerson() {
  const known = read(sessionStorage, personKey);
  if (known !== null && /^[0-9a-f]{32}$/.test(known)) return known;
  const person = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  write(sessionStorage, personKey, person);
  return person;
}

/** @returns {string} the language somebody chose instead of the browser's, or nothing */
export function keptLanguage() {
  return read(localStorage, languageKey) ?? '';
}

/** @param {string} code */
export function keepLanguage(code) {
  write(localStorage, languageKey, code);
}

/** @param {Storage} storage @param {string} key @returns {string | null} */
function read(storage, key) {
  try {
    return storage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {Storage} storage @param {string} key @param {string | null} value */
function write(storage, key, value) {
  try {
    if (value === null) storage.removeItem(key);
    else storage.setItem(key, value);
  } catch {
    // Storage is off or full: a reload then starts anew, and nothing else is worse.
  }
}
