import { MAIL_HEADER_NAMES } from '#src/core/knowledge/words/mail-words.ts';
import { addressIn } from './mail-address.ts';

/** Lines of a head that may follow the line of the sender. */
const HEAD_LINES = 4;

/** Maximum number of lines, and of a line's UTF-16 code units, that are read. */
const MAX_LINES = 5000;
const MAX_LINE = 1000;

/** Marks that programs put around field names, and at the beginning of quoted lines. */
const MARKS = /^[\s>*_|]+|[*_]+/g;

/**
 * Returns the mail addresses of the senders that a text names as mail programs do when a mail is forwarded, answered or
 * copied: a head with fields (Outlook, Gmail, Apple Mail), a line that ends a reply's head, or the head of Gmail's view.
 */
export function quotedSenders(text: string): string[] {
  const lines = text
    .split(/\r\n?|\n/, MAX_LINES)
    .map((line) => line.slice(0, MAX_LINE).replace(MARKS, '').trim())
    .filter((line) => line !== '');
  const senders = lines.flatMap((line, at) => {
    const rest = lines.slice(at + 1, at + 1 + HEAD_LINES);
    const address = addressIn(line) ?? (isFrom(line) ? addressIn(rest[0] ?? '') : null);
    return address !== null && isHead(line, rest) ? [address] : [];
  });
  return [...new Set(senders)];
}

function isHead(line: string, rest: readonly string[]): boolean {
  const lower = line.toLowerCase();
  if (isFrom(line)) return rest.some((one) => MAIL_HEADER_NAMES.beside.includes(fieldOf(one)));
  const isReply = /[:：]$/.test(line) && MAIL_HEADER_NAMES.wrote.some((word) => lower.includes(word));
  return isReply || rest.slice(0, 2).some((one) => MAIL_HEADER_NAMES.toMe.includes(one.toLowerCase()));
}

function isFrom(line: string): boolean {
  return MAIL_HEADER_NAMES.from.includes(fieldOf(line));
}

/** Returns the name of a field, in lower case; empty if a line has none. */
function fieldOf(line: string): string {
  const end = line.slice(0, 40).search(/[:：\t]/);
  return end === -1 ? '' : line.slice(0, end).trim().toLowerCase();
}
