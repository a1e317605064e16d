// A conversation with people in it, of keys alone: who seals, who opens.

import { EpochKeys } from '../../groupactivities/keys.js';
import { Identity } from '../../groupactivities/identity.js';
import { Invitation } from '../../groupactivities/invitation.js';
import { randomId } from '../../groupactivities/identifiers.js';
import { RecordOpener, RecordSealer } from '../../groupactivities/record-sealing.js';

/** @param {'record' | 'sample'} recordClass */
export async function sealerAndOpener(recordClass) {
  const keys = await EpochKeys.from(Invitation.create('http://localhost'));
  const identity = await Identity.create(keys.conversationId);
  const sessionId = randomId();
  const sealer = await RecordSealer.create({ keys, identity, sessionId, class: recordClass });
  const opener = await RecordOpener.create({ keys, sessionId, class: recordClass, senderId: identity.participantId, publicKey: identity.publicKey });
  return { keys, identity, sessionId, sealer, opener };
}
