// A relay that shows one participant another log than the rest, and hides it in the places: they have no holes.

/** @typedef {import('../../groupactivities/frames.js').Frame} Frame */
/** @typedef {import('./world.js').World} World */
/** @typedef {import('./person.js').Person} Person */

const placed = new Set(['entered', 'exited', 'ended', 'ordered', 'skipped', 'entry', 'removed']);

/**
 * @param {World} world
 * @param {Person} victim
 * @param {(frame: any) => any[]} tell what the victim is shown in place of a frame of the log
 */
export function lieTo(world, victim, tell) {
  const { id: session } = victim.session;
  const victimId = victim.conversation.localParticipant.id;
  let shift = 0;
  world.relay.onWay = (frame, participant) => {
    if (participant !== victimId || !('session' in frame) || frame.session !== session || !('sequence' in frame) || frame.sequence === 0) return frame;
    if (!placed.has(frame.type)) return { ...frame, sequence: frame.sequence + shift };
    const told = tell(frame);
    const frames = told.map((each, index) => ({ ...each, session, sequence: frame.sequence + shift + index }));
    shift += told.length - 1;
    return frames;
  };
}

/** The names of those who are known to have seen another log. @param {Person} person */
export function divergent(person) {
  return person.session.divergentParticipants.map(({ name }) => name).toSorted();
}
