import { visibleJson } from '#src/core/base/text/untrusted-text.ts';
import { choice, type Invocation, type Option } from './command.ts';

/** Formats of a report. */
export const REPORT_FORMATS = ['text', 'json'] as const;

/** `--format` of a command that prints a report. */
export const REPORT_FORMAT: Option = {
  type: 'string',
  words: REPORT_FORMATS,
  description: 'Output format. Default: text.',
};

/** Returns true if `--format` asks for JSON. Throws UsageError for any other word but `text`. */
export function wantsJson(invocation: Pick<Invocation, 'text'>): boolean {
  return choice(invocation, 'format', REPORT_FORMATS) === 'json';
}

/** Formats a report as indented JSON, in which untrusted text is escaped. */
export function indentedJson(value: unknown): string {
  return `${visibleJson(JSON.stringify(value, null, 2))}\n`;
}
