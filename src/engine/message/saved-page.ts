import { readUrl } from '#src/core/url/read-url.ts';

/**
 * Marks of browsers ("saved from url=(0042)https://…") and of SingleFile ("Page saved with SingleFile url: https://…").
 */
const SAVED_FROM = /^\s*(?:saved from url=\(\d{1,6}\)|page saved with singlefile\s+url:)\s*(https?:\S{1,8192})/i;

/** Returns the address from which a page was saved, by a comment; null if the comment does not name it. */
export function savedFrom(comment: string): string | null {
  return webAddress(SAVED_FROM.exec(comment)?.[1] ?? '');
}

/** Returns the address of a page that a browser saved as a mail (`.mht`), by its header; null for other mails. */
export function savedAt(headers: readonly { readonly key: string; readonly value: string }[]): string | null {
  return webAddress(headers.find(({ key }) => key === 'snapshot-content-location')?.value ?? '');
}

function webAddress(text: string): string | null {
  return /^https?:/i.test(text) ? (readUrl(text)?.href ?? null) : null;
}
