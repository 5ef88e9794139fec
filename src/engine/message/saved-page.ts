import { readUrl } from '#src/core/url/read-url.ts';

/** The mark of browsers ("saved from url=(0042)https://…") and that of SingleFile ("Page saved with SingleFile url: https://…"). */
const SAVED_FROM = /^\s*(?:saved from url=\(\d{1,6}\)|page saved with singlefile\s+url:)\s*(https?:\S{1,8192})/i;

/** The address from which a page was saved, as a comment in it says; null where a comment says nothing of it. */
export function savedFrom(comment: string): string | null {
  return webAddress(SAVED_FROM.exec(comment)?.[1] ?? '');
}

/** The address of a page that a browser saved as a mail (`.mht`), as its header says; null for every other mail. */
export function savedAt(headers: readonly { readonly key: string; readonly value: string }[]): string | null {
  return webAddress(headers.find(({ key }) => key === 'snapshot-content-location')?.value ?? '');
}

function webAddress(text: string): string | null {
  return /^https?:/i.test(text) ? (readUrl(text)?.href ?? null) : null;
}
