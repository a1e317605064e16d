// GroupActivities for web apps: everything that an app imports (docs/javascript.md).

export { Attachment } from './attachment.js';
export { Conversation } from './conversation.js';
export { HearthError } from './errors.js';
export { Invitation } from './invitation.js';
export { GroupSessionJournal } from './journal.js';
export { limits } from './limits.js';
export { GroupSessionMessenger } from './messenger.js';
export { GroupSession } from './session.js';
