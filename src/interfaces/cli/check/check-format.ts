import { cachedJson } from '#src/checks/record/cached-json.ts';
import { shortResult } from '#src/checks/record/short-result.ts';
import { isUnreadable } from '#src/checks/record/stored-result.ts';
import { escapeCell, visibleJson } from '#src/core/base/text/untrusted-text.ts';
import type { VerdictOutcome } from './check-one.ts';
import { describeOutcome, type ShownOutcome } from './check-text.ts';

/** The formats of `check`. */
export const FORMATS = ['text', 'json', 'ndjson', 'tsv'] as const;

export type Format = (typeof FORMATS)[number];

/** Writer of outcomes, and the texts around them. */
export interface Formatter<Outcome = ShownOutcome> {
  write(outcome: Outcome): string;
  /** Text before the first, between two, after the last, and instead of all if there are none. */
  readonly around: Readonly<Record<'first' | 'between' | 'last' | 'none', string>>;
}

/** Format and its options. */
export interface FormatStyle {
  readonly format: Format;
  /** True if JSON is an array, however many outcomes there are; otherwise there is exactly one. */
  readonly isList: boolean;
  /** Concerns `text` alone. */
  readonly colour: boolean;
  /** True if JSON holds the short form of each result. */
  readonly isShort?: boolean;
}

/** A formatter. It remembers nothing: several threads may write for one. */
export function createFormatter({ format, isList, colour, isShort = false }: FormatStyle): Formatter {
  switch (format) {
    case 'text':
      return { write: (outcome) => describeOutcome(outcome, colour), around: NOTHING };
    case 'ndjson':
      return { write: (outcome) => `${visibleJson(cachedJson(payloadOf(outcome, isShort)))}\n`, around: NOTHING };
    case 'tsv':
      return TSV;
    case 'json':
      return isList
        ? {
            write: (outcome) => toIndentedJson(outcome, isShort),
            around: { first: '[\n', between: ',\n', last: '\n]\n', none: '[]\n' },
          }
        : { write: (outcome) => `${toIndentedJson(outcome, isShort)}\n`, around: NOTHING };
  }
}

const NOTHING = { first: '', between: '', last: '', none: '' };

/** Puts what was written one after the other, as it comes. */
export function createSequence({ around }: Formatter): { next(text: string): string; end(): string } {
  let isEmpty = true;
  return {
    next(text) {
      const before = isEmpty ? around.first : around.between;
      isEmpty = false;
      return before + text;
    },
    end: () => (isEmpty ? around.none : around.last),
  };
}

function payloadOf(outcome: ShownOutcome, isShort: boolean): object {
  if ('problem' in outcome) return outcome.problem;
  const { result } = outcome;
  return isShort && !isUnreadable(result) ? shortResult(result) : result;
}

function toIndentedJson(outcome: ShownOutcome, isShort: boolean): string {
  return visibleJson(JSON.stringify(payloadOf(outcome, isShort), null, 2));
}

/** Writes a row per outcome: URL, probability, decision. */
export const TSV: Formatter<ShownOutcome | VerdictOutcome> = {
  write(outcome) {
    const columns =
      'result' in outcome
        ? [outcome.result.url, String(outcome.result.malicious_probability), outcome.result.decision]
        : [outcome.problem.url, '', 'error'];
    return `${columns.map(escapeCell).join('\t')}\n`;
  },
  around: NOTHING,
};
