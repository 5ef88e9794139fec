import { spellCode, visibleInTerminal, visibleJson } from '#src/base/foreign-text.ts';
import { describeOutcome, type ShownOutcome } from './check-text.ts';

/** The formats of `check`. */
export const FORMATS = ['text', 'json', 'ndjson', 'tsv'] as const;

export type Format = (typeof FORMATS)[number];

/** Writes outcomes one after the other: the text of each, and what closes the whole. */
export interface Formatter {
  next(outcome: ShownOutcome): string;
  end(): string;
}

/** How to write. */
export interface FormatStyle {
  readonly format: Format;
  /** Whether JSON is an array, however many outcomes there are; otherwise there is exactly one. */
  readonly isList: boolean;
  /** Concerns `text` alone. */
  readonly colour: boolean;
}

/** A formatter. */
export function createFormatter({ format, isList, colour }: FormatStyle): Formatter {
  switch (format) {
    case 'text':
      return { next: (outcome) => describeOutcome(outcome, colour), end: () => '' };
    case 'ndjson':
      return { next: (outcome) => `${toJson(outcome)}\n`, end: () => '' };
    case 'tsv':
      return { next: toTsv, end: () => '' };
    case 'json':
      return isList ? arrayFormatter() : { next: (outcome) => `${toJson(outcome, 2)}\n`, end: () => '' };
  }
}

function arrayFormatter(): Formatter {
  let count = 0;
  return {
    next: (outcome) => `${count++ === 0 ? '[' : ','}\n${toJson(outcome, 2)}`,
    end: () => (count === 0 ? '[]\n' : '\n]\n'),
  };
}

function toJson(outcome: ShownOutcome, indent?: number): string {
  return visibleJson(JSON.stringify('result' in outcome ? outcome.result : outcome.problem, null, indent));
}

function toTsv(outcome: ShownOutcome): string {
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
