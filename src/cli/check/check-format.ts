import { spellCode, visibleInTerminal, visibleJson } from '#src/base/foreign-text.ts';
import type { CheckOutcome } from './check-one.ts';
import { describeOutcome } from './check-text.ts';

/** The formats of `check`. */
export const FORMATS = ['text', 'json', 'ndjson', 'tsv'] as const;

export type Format = (typeof FORMATS)[number];

/** Writes outcomes one after the other: the text of each, and what closes the whole. */
export interface Formatter {
  next(outcome: CheckOutcome): string;
  end(): string;
}

/** A formatter for `format`; colours concern `text` alone. */
export function createFormatter(format: Format, colour: boolean): Formatter {
  switch (format) {
    case 'text':
      return { next: (outcome) => describeOutcome(outcome, colour), end: () => '' };
    case 'ndjson':
      return { next: (outcome) => `${toJson(outcome)}\n`, end: () => '' };
    case 'tsv':
      return { next: toTsv, end: () => '' };
    case 'json':
      return jsonFormatter();
  }
}

/** One object, or an array where there are several: the first waits until it is known which. */
function jsonFormatter(): Formatter {
  let first: string | null = null;
  let count = 0;
  return {
    next(outcome) {
      const text = toJson(outcome, 2);
      count++;
      if (count === 1) {
        first = text;
        return '';
      }
      return `${count === 2 ? `[\n${first}` : ''},\n${text}`;
    },
    end: () => (count === 1 ? `${first}\n` : count > 1 ? '\n]\n' : '[]\n'),
  };
}

function toJson(outcome: CheckOutcome, indent?: number): string {
  return visibleJson(JSON.stringify('result' in outcome ? outcome.result : outcome.problem, null, indent));
}

function toTsv(outcome: CheckOutcome): string {
  const columns =
    'result' in outcome
      ? [outcome.result.url, String(outcome.result.malicious_probability), outcome.result.decision]
      : [outcome.problem.url, '', 'error'];
  return `${columns.map(toCell).join('\t')}\n`;
}

/**
 * What is hidden as `\xNN` or `\u{N}`, and likewise a first character by which a spreadsheet would take the cell for a
 * formula. The backslash itself stays, so that an ordinary URL reads as it is.
 */
function toCell(text: string): string {
  return visibleInTerminal(text).replace(/^[=+\-@]/, spellCode);
}
