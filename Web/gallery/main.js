// Puts the gallery together: the model, the library, and the page that shows them.

import { Conversation, GroupSessionJournal, GroupSessionMessenger, Invitation } from '../groupactivities/index.js';
import { forgetLink, keepLink, keepPass, keepRemovals, keepTicket, keepUnsent, keepWall, keptLink, keptName, keptPass, keptPerson, keptRemovals, keptTicket, keptWall, returnToKeptLink, takeLink, takeUnsent } from './address.js';
import { arrange } from './arrangement.js';
import { causeOf } from './causes.js';
import { ChoiceKeeper } from './choices.js';
import { beInstallable, sharedPhotos, takeShareMark } from './installation.js';
import { PhotoIntake } from './intake.js';
import { Kept } from './kept/kept.js';
import { Gallery } from './model.js';
import { language, text } from './language.js';
import { Removals } from './removals.js';
import { ThumbnailMaker } from './photos/thumbnails.js';
import { Sharing } from './sharing.js';
import { Stalls } from './stalls.js';
import { countsOf } from './states.js';
import { followAdding } from './view/adding.js';
import { Archive } from './view/archive.js';
import { DoorChoices } from './view/door-choices.js';
import { button, find, makeClosable, oncePerFrame } from './view/elements.js';
import { FollowingView } from './view/following.js';
import { Grid } from './view/grid.js';
import { InviteSheet } from './view/invite-sheet.js';
import { JoinPage } from './view/join-page.js';
import { followLeaving } from './view/leaving.js';
import { Menu } from './view/menu.js';
import { askName, showProblem } from './view/naming.js';
import { Notices } from './view/notices.js';
import { Privacy } from './view/privacy.js';
import { RemarkPanel } from './view/remark-panel.js';
import { Roster } from './view/roster.js';
import { saveOriginal } from './view/saving.js';
import { Selecting } from './view/selecting.js';
import { StatusLine } from './view/status.js';
import { Tools } from './view/tools.js';
import { Viewer } from './view/viewer.js';
import { Wall } from './view/wall.js';
import { followLanguage } from './view/wording.js';

const isShareTarget = takeShareMark();
if (isShareTarget) returnToKeptLink();
const address = takeLink();
followLanguage();
const isSecure = globalThis.isSecureContext && globalThis.crypto?.subtle !== undefined;

const person = keptPerson();
const choices = new ChoiceKeeper();
const gallery = new Gallery();
const kept = new Kept(gallery);
const sharing = new Sharing(gallery, { Conversation, GroupSessionJournal, GroupSessionMessenger }, { person, environment: { network: { fetch: kept.parts.fetch } }, keepTicket, keepPass });
const thumbnails = new ThumbnailMaker();
const stalls = new Stalls(gallery);
const intake = new PhotoIntake(gallery, {
  makeThumbnail: (blob, order) => thumbnails.make(blob, order),
  intention: () => sharing.intention(),
  onPrepared: () => sharing.photoPrepared(),
  keepsMetadata: () => choices.choices.keepsMetadata,
  onTaken: (report) => {
    privacy.tell(report);
    if (report.thinned > 0) gallery.notify({ kind: 'thinned', count: report.thinned });
  },
});

/** @param {unknown} error @param {string} [kind] @param {string} [name] */
function tell(error, kind = 'error', name) {
  gallery.notify({ kind, name, ...causeOf(error) });
}

/** @param {string} photoId */
function isShared(photoId) {
  return gallery.photo(photoId)?.attachmentId !== null && gallery.sharing.session === 'joined';
}

/** Ids of photos that somebody wants to save and whose originals are not here yet. @type {Set<string>} */
const wantedSaves = new Set();

/** @param {string} photoId */
function save(photoId) {
  const photo = gallery.photo(photoId);
  if (!photo || saveOriginal(photo)) return;
  wantedSaves.add(photoId);
  sharing.want(photoId);
}

/** Of which conversation this tab keeps something; none while it is in none. */
let keptFor = '';
/** A page that goes away leaves too, but a reload of it is to come back. */
let isPageGoing = false;
const removals = new Removals(gallery, {
  remove: (id) => sharing.remove(id),
  failed: (error, name) => {
    tell(error, 'not-removed', name);
    sharing.photoPrepared();
  },
  keep: (names) => {
    // What fails because the page goes away is for the next one to do.
    if (!isPageGoing) keepRemovals(keptFor === '' ? [] : names);
  },
});
const archive = new Archive(gallery, (id) => sharing.want(id));
const privacy = new Privacy(choices);
const tools = new Tools(choices, {
  changed: () => drawPhotos(),
  select: () => selecting.begin(),
  saveAll: () => archive.save(shownPhotos().map(({ id }) => id)),
});
const shownPhotos = () => arrange(gallery.photos, tools.arrangement);
const selecting = new Selecting({
  drawn: ({ isOn, ids }) => grid.select(isOn ? ids : null),
  save: ([only, ...others]) => {
    if (only !== undefined) void (others.length === 0 ? save(only) : archive.save([only, ...others]));
  },
  remove: (ids) => removals.ask(ids),
});
const remarks = new RemarkPanel(person, {
  caption: (id, words) => sharing.caption(id, words).catch((error) => tell(error, 'not-said')),
  react: (id, emoji) => sharing.react(id, emoji).catch((error) => tell(error, 'not-said')),
});

/** What one says goes to everyone, or, while a photo is only here, with it when it goes. @param {import('./model.js').Photo} photo */
function rightsTo(photo) {
  const isOnItsWay = photo.attachmentId === null && photo.share !== 'private';
  return { canWrite: isShared(photo.id) || (photo.isMine && photo.attachmentId === null && !isOnItsWay), canReact: isShared(photo.id) };
}

const grid = new Grid({
  open: (id) => viewer.open(id),
  remove: (id) => removals.ask([id]),
  menu: (id, at) => {
    const photo = gallery.photo(id);
    if (photo) menu.show(photo, isShared(id), at);
  },
});
const viewer = new Viewer(gallery, {
  want: (id) => sharing.want(id), save, remove: (id) => removals.ask([id]), closed: (id) => grid.focus(id), photos: shownPhotos, remarks, rights: rightsTo,
});
const menu = new Menu({ open: (id) => viewer.open(id), save, again: (id) => sharing.tryAgain(id), select: (id) => selecting.begin(id), remove: (id) => removals.ask([id]) });
const inviteSheet = new InviteSheet(gallery);
const doorChoices = new DoorChoices({ setMode: (mode) => sharing.entrance.setMode(mode).catch(tell), setEnd: (choice) => sharing.entrance.setEnd(choice).catch(tell) });
const roster = new Roster();
const followingView = new FollowingView(gallery, sharing.following, (id) => viewer.open(id));
const wall = new Wall(gallery, sharing.following);
function undo() {
  removals.undo();
  sharing.photoPrepared();
}

const held = (/** @type {'not-added-twice' | 'not-cleaned'} */ kind) => ({
  label: /** @type {const} */ ('button.add-anyway'), act: () => void intake.addHeld(kind), dismissed: () => intake.dropHeld(kind),
});
const notices = new Notices(gallery, {
  removing: {
    label: 'button.undo', act: undo, dismissed: () => void removals.finish(), read: (isRead) => (isRead ? removals.hold() : removals.goOn()),
  },
  knocking: {
    label: 'knock.let-in', act: ({ knock }) => sharing.entrance.answer(knock, true), dismissLabel: 'knock.decline', dismissed: ({ knock }) => sharing.entrance.answer(knock, false),
  },
  'not-added-twice': held('not-added-twice'),
  'not-cleaned': held('not-cleaned'),
});
const status = new StatusLine(gallery, isSecure, async (does) => {
  try {
    if (does === 'rejoin') await sharing.rejoin();
    else if (does === 'start-over') await sharing.startOver();
    else sharing.intendAll();
  } catch (error) {
    tell(error);
  }
});
const joinPage = new JoinPage({
  isSecure,
  parse: (link) => Invitation.parse(link),
  stop: () => sharing.stopComing(),
  join: async (invitation, name) => {
    await sharing.join(invitation, name);
    joinPage.close();
  },
  joinAsWall: async (invitation) => {
    const name = text('wall.name');
    await sharing.join(invitation, name);
    keepWall(name);
    joinPage.close();
    wall.open();
  },
});

const drawPhotos = oncePerFrame(() => {
  tools.draw(gallery.photos);
  const shown = shownPhotos();
  grid.draw(shown);
  selecting.follow(shown);
  viewer.draw();
  status.draw();
  stalls.look();
  if (gallery.sharing.isInSync) kept.isInSync();
  followingView.photosChanged();
  wall.draw();
});
gallery.addEventListener('photoschange', () => {
  for (const id of wantedSaves) {
    const photo = gallery.photo(id);
    if (!photo || photo.failure !== null || saveOriginal(photo)) wantedSaves.delete(id);
  }
  drawPhotos();
});
gallery.addEventListener('sharingchange', oncePerFrame(() => {
  const { stage, link } = gallery.sharing;
  if (stage === 'together' && link !== keptFor) {
    keepLink(link);
    keptFor = link;
    kept.begin(link);
  }
  if (stage === 'over' && keptFor !== '' && !isPageGoing) {
    forgetLink();
    keptFor = '';
    kept.end();
    wall.close();
    inviteSheet.close();
  }
  if (gallery.sharing.isInSync) {
    removals.settle();
    kept.isInSync();
  }
  roster.draw(gallery.sharing);
  inviteSheet.draw();
  doorChoices.draw(gallery.sharing);
  joinPage.draw(gallery.sharing);
  status.draw();
  followingView.draw();
  wall.draw();
}));
gallery.addEventListener('noticeschange', oncePerFrame(() => notices.draw()));

language.addEventListener('change', () => {
  grid.redraw();
  viewer.redraw();
  tools.draw(gallery.photos);
  notices.redraw();
  joinPage.redraw();
  roster.draw(gallery.sharing);
  doorChoices.draw(gallery.sharing);
  status.draw();
  followingView.draw();
  wall.draw();
});

followAdding((files) => {
  if (document.body.dataset.stage !== 'invited') intake.add(files);
});
followLeaving(gallery, {
  leave: () => sharing.leave(),
  end: () => sharing.end().catch(tell),
});

const nameDialog = find('name-dialog', HTMLDialogElement);
makeClosable(nameDialog);
button('name-cancel').addEventListener('click', () => nameDialog.close());
askName({ form: 'name-form', field: 'name', problem: 'name-problem', submit: 'name-confirm' }, async (name) => {
  await sharing.create({ relay: location.origin, name });
  nameDialog.close();
  inviteSheet.open();
});
button('share').addEventListener('click', async () => {
  if (!isSecure) {
    tell({ code: 'insecure-context' });
  } else if (gallery.sharing.stage === 'together') {
    await sharing.start().catch(tell);
  } else {
    showProblem('name-problem', null);
    nameDialog.showModal();
    find('name', HTMLInputElement).select();
  }
});
// An end may have come since the door was drawn, and nothing else happened.
for (const id of ['invite', 'roster-button']) button(id).addEventListener('click', () => doorChoices.draw());
button('invite').addEventListener('click', () => inviteSheet.open());

// Phones end pages in the background without another word.
const rememberUnsent = () => keepUnsent(gallery.photos.filter((photo) => (photo.share === 'queued' || photo.share === 'sending') && !kept.holds(photo.id)).map((photo) => photo.name));
document.addEventListener('keydown', (event) => {
  const isWriting = event.target instanceof HTMLInputElement && event.target.type === 'text';
  if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey || isWriting || removals.count === 0) return;
  event.preventDefault();
  undo();
});
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') sharing.retryNow();
  else {
    rememberUnsent();
    void removals.finish();
  }
});
addEventListener('online', () => sharing.retryNow());
// A tab that was frozen learns of it here and nowhere else.
document.addEventListener('resume', () => sharing.retryNow());
addEventListener('beforeunload', (event) => {
  // The last moment at which something can still be sealed and sent.
  void removals.finish();
  if (countsOf(gallery.photos).sending > 0) event.preventDefault();
});
addEventListener('pagehide', () => {
  void removals.finish();
  removals.keep();
  isPageGoing = true;
  rememberUnsent();
  sharing.leaveNow();
});
addEventListener('pageshow', (event) => {
  isPageGoing = false;
  removals.keep();
  // Kept by the browser as it was, but we have said that we leave.
  if (event.persisted && sharing.invitation !== null && gallery.sharing.stage !== 'alone') sharing.rejoin().catch(tell);
});
addEventListener('hashchange', () => {
  const { link, isInvitation } = takeLink();
  if (isInvitation && gallery.sharing.stage !== 'together') joinPage.open(link);
});

async function begin() {
  document.body.dataset.stage = 'gallery';
  status.draw();
  if (!address.isInvitation) return;
  const link = address.link.includes('#') ? null : keptLink();
  const name = keptWall() || keptName();
  if (link === null || name === '' || !isSecure) {
    joinPage.open(link ?? address.link);
    return;
  }
  keptFor = link;
  const unsent = takeUnsent();
  if (keptWall() !== '') wall.open();
  gallery.setSharing({ stage: 'together', session: 'joined', connection: 'reconnecting', link, name });
  removals.resume(keptRemovals());
  sharing.entrance.remember(link, keptPass());
  await kept.restore(link);
  for (const lost of unsent) gallery.notify({ kind: 'interrupted-before', name: lost });
  await sharing.comeBack(Invitation.parse(link), name, keptTicket());
}

begin();
if (isShareTarget) sharedPhotos().then((files) => intake.add(files));
addEventListener('load', () => void beInstallable());
