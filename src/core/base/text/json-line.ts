import { visibleJson } from './untrusted-text.ts';

/** Formats one line of JSON, newline included, with hidden characters escaped. */
export function jsonLine(value: unknown): string {
  return `${visibleJson(JSON.stringify(value))}\n`;
}
