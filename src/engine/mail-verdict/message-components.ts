/** Parts of the verdict on a message, in the order in which answers list their scores. */
export const MESSAGE_COMPONENTS = [
  ...(['sender', 'authentication', 'lure', 'scheme', 'links', 'attachments', 'trust'] as const),
] as const;

/** Name of a part of the verdict on a message. */
export type MessageComponent = (typeof MESSAGE_COMPONENTS)[number];
