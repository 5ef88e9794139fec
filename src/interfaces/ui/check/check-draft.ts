import type { MessageLink } from '#src/engine/message/message-link.ts';
import type { Intake } from './intake/intake-problem.ts';

/** What a person typed and chose; kept while the page is shown in another language. */
export interface CheckDraft {
  text: string;
  isPrivate: boolean;
  /** Whether the server may look things up about the link. */
  visit: boolean;
  /** What messages said of the links that they held, by URL; the box holds the links alone. */
  readonly told: Map<string, MessageLink>;
  /** What the messages in the box hold beside links that can be checked. */
  beside: BesideLinks;
}

/** Findings that need no check, and what could not be read. */
export type BesideLinks = Pick<Intake, 'nonWeb' | 'problems'> & {
  /** The links beside which they stood: without any of them in the box, the message is not in the box any more. */
  readonly urls: readonly string[];
};

/** Nothing beside the links. */
export const NOTHING_BESIDE: BesideLinks = { nonWeb: [], problems: [], urls: [] };
