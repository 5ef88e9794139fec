import type { Message } from './message.ts';

/** Result for a message whose reader was terminated. */
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
