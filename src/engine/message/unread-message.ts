import type { Message } from './read-message.ts';

/** What is known of a message whose reader had to be ended. */
export const UNREAD_MESSAGE: Message = {
  kind: 'text',
  head: null,
  attachments: [],
  links: [],
  sentences: new Map(),
  nonWeb: [],
  pictures: [],
  unread: [],
  isWhole: false,
};
