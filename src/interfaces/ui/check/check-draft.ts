import type { MessageLink } from '#src/engine/message/message-link.ts';
import type { CheckChoices } from './check-queue.ts';
import type { Intake } from './intake/intake-problem.ts';

/** The reader's input; survives a change of language. */
export interface CheckDraft {
  text: string;
  isPrivate: boolean;
  /** Hosts of links that came from a private check. */
  privateHosts: ReadonlySet<string>;
  /** Forces a private check while the text box has a link of one of these hosts. */
  keepsPrivate: boolean;
  /** True if the server may look things up about the link. */
  visit: boolean;
  /** False if only the links of a mail are sent to the service. */
  isMailSent: boolean;
  /** Context of links in messages, by URL; the text box contains only the links. */
  readonly messageLinks: Map<string, MessageLink>;
  /** Content of the messages in the text box besides links that can be checked. */
  beside: BesideLinks;
}

/** Findings that need no check, and what could not be read. */
export type BesideLinks = Pick<Intake, 'nonWeb' | 'problems' | 'mail'> & {
  /** Links of the message: without any of them in the text box, the message is no longer in it. */
  readonly urls: readonly string[];
};

export const NOTHING_BESIDE: BesideLinks = { nonWeb: [], problems: [], mail: null, urls: [] };

/** Returns the choices for the checks of the text box. They are private if the reader or a link requires it. */
export function choicesOf({ isPrivate, keepsPrivate, visit }: CheckDraft): CheckChoices {
  return { isPrivate: isPrivate || keepsPrivate, visit };
}

/** Returns the hosts of links. */
export function hostsOf(links: readonly MessageLink[]): ReadonlySet<string> {
  return new Set(links.map(({ url }) => URL.parse(url)?.hostname ?? url));
}
