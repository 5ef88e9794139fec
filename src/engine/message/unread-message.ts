import type { Message } from './message.ts';

/** Result for a message whose reader was terminated. */
export const UNREAD_MESSAGE: Message = {
  kind: 'text',
  head: null,
  traits: { text: '', isMarkupOnly: false, mail: null },
  attachments: [],
  links: [],
  sentences: new Map(),
  nonWeb: [],
  pictures: [],
  unread: [],
  isWhole: false,
};
