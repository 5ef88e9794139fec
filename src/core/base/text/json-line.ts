import { visibleJson } from './untrusted-text.ts';

/** One line of JSON for a log, the newline included, in which nothing is hidden. */
export function jsonLine(value: unknown): string {
  return `${visibleJson(JSON.stringify(value))}\n`;
}
