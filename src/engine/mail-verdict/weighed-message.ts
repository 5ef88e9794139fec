import type { Decision } from '#src/engine/fusion/fuse.ts';
import type { Message } from '#src/engine/message/message.ts';

/** Parts of a message that its verdict weighs. All of it is untrusted. */
export type WeighedMessage = Pick<Message, 'kind' | 'head' | 'traits' | 'attachments' | 'links'>;

/** Verdict on a link of a message, or on the site of its sender, as made by `assess`. */
export interface WeighedLink {
  /** As the message has it. */
  readonly url: string;
  readonly probability: number;
  readonly decision: Decision;
  /** True if a block list decided. */
  readonly isListed: boolean;
}

const MAX_WEIGHED_LINKS = 60;

/** Returns what a verdict weighs of a message, so that a thread can send it at little cost. */
export function weighedMessage({ kind, head, traits, attachments, links }: Message): WeighedMessage {
  return {
    kind,
    head,
    traits,
    attachments: attachments.slice(0, MAX_ATTACHMENTS),
    links: links.slice(0, MAX_WEIGHED_LINKS),
  };
}

const MAX_ATTACHMENTS = 50;
