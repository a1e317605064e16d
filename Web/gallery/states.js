// Says in one word how a photo or the connection stands, so that page, tests and counts agree.

/** @typedef {import('./model.js').Photo} Photo */
/** @typedef {'preparing' | 'local' | 'queued' | 'sending' | 'waiting' | 'loading' | 'there' | 'interrupted' | 'failed' | 'lost' | 'ready'} PhotoState */
/** @typedef {'alone' | 'connecting' | 'waiting' | 'not-sharing' | 'catching-up' | 'in-sync' | 'reconnecting' | 'broken' | 'ended' | 'left' | 'closed'} Status */

/**
 * `local`: only on this device. `queued`: not announced yet. `waiting`: others have announced it, its original is not here.
 * `there`: its original is with the relay and comes when it is wanted, because no page could hold all of them.
 * `lost`: sharing was over before the original came. `ready`: the original is here, and if it is ours, everyone can have it.
 * @param {Photo} photo
 * @returns {PhotoState}
 */
export function stateOf(photo) {
  if (photo.failure !== null) return 'failed';
  if (!photo.isPrepared) return 'preparing';
  if (photo.progress?.phase === 'interrupted' && (photo.share === 'sending' || photo.load === 'loading')) return 'interrupted';
  if (photo.isMine) {
    if (photo.share === 'shared') return 'ready';
    return photo.share === 'private' ? 'local' : photo.share;
  }
  return photo.load === 'here' ? 'ready' : photo.load;
}

/**
 * @param {readonly Photo[]} photos
 * @returns {{ sending: number, loading: number, preparing: number, private: number, there: number, lost: number }}
 */
export function countsOf(photos) {
  const counts = { sending: 0, loading: 0, preparing: 0, private: 0, there: 0, lost: 0 };
  for (const photo of photos) {
    if (photo.failure !== null) continue;
    if (!photo.isPrepared) counts.preparing += 1;
    if (photo.isMine && (photo.share === 'queued' || photo.share === 'sending')) counts.sending += 1;
    if (photo.isMine && photo.share === 'private' && !photo.isIntended && !photo.isLeaving) counts.private += 1;
    if (photo.load === 'waiting' || photo.load === 'loading') counts.loading += 1;
    if (photo.load === 'there') counts.there += 1;
    if (photo.load === 'lost') counts.lost += 1;
  }
  return counts;
}

/**
 * @param {import('./model.js').SharingState} sharing
 * @returns {Status}
 */
export function statusOf(sharing) {
  switch (sharing.stage) {
    case 'alone': return 'alone';
    case 'connecting': return sharing.connection === 'waiting' ? 'waiting' : 'connecting';
    case 'over':
      if (sharing.reason?.code === 'left') return 'left';
      return sharing.reason?.code === 'conversation-ended' ? 'ended' : 'closed';
    default:
  }
  if (sharing.connection === 'waiting') return 'waiting';
  if (sharing.connection !== 'connected') return sharing.connection === 'connecting' ? 'connecting' : 'reconnecting';
  switch (sharing.session) {
    case 'none': return sharing.isStarting ? 'connecting' : 'not-sharing';
    case 'ended': return 'ended';
    case 'broken': return 'broken';
    default: return sharing.isInSync ? 'in-sync' : 'catching-up';
  }
}
