import type { MessageLink } from '#src/message/message-link.ts';

/** What a person typed and chose; kept while the page is shown in another language. */
export interface CheckDraft {
  text: string;
  isPrivate: boolean;
  /** Whether the server may look things up about the link. */
  visit: boolean;
  /** What messages said of the links that they held, by URL; the box holds the links alone. */
  readonly told: Map<string, MessageLink>;
}
