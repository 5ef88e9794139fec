import { DECISIONS } from '#src/record/check-result.ts';
import type { HistoryQuery } from '#src/store/read/history.ts';
import { domainKey } from '#src/store/read/host-suffixes.ts';
import { badFields } from '../http/bad-fields.ts';
import type { FieldError, Problem } from '../http/problem.ts';
import { parseInstant } from './instant.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** Reads the parameters of the history. Those that it does not know are ignored; a bad value is named. */
export function readHistoryRequest(search: string): HistoryQuery | Problem {
  const parameters = new URLSearchParams(search);
  const errors: FieldError[] = [];

  /** Null where the parameter is not given, or was refused. */
  function read<T>(field: string, expected: string, parse: (text: string) => T | null): T | null {
    const [text, ...more] = parameters.getAll(field);
    if (text === undefined) return null;
    const value = more.length === 0 ? parse(text) : null;
    if (value === null) errors.push({ field, message: more.length === 0 ? `must be ${expected}` : 'occurs twice' });
    return value;
  }

  const query: HistoryQuery = {
    limit: read('limit', `a whole number from 1 to ${MAX_LIMIT}`, parseLimit) ?? DEFAULT_LIMIT,
    cursor: read('cursor', 'a next_cursor of the history', (text) => text || null),
    decision: read(
      'decision',
      `one of ${DECISIONS.join(', ')}`,
      (text) => DECISIONS.find((one) => one === text) ?? null,
    ),
    domain: read('domain', 'a domain such as example.com', (text) => (domainKey(text) === null ? null : text)),
    fromMs: read('from', 'a time such as 2026-01-31T12:00:00Z', parseInstant),
    untilMs: read('until', 'a time such as 2026-01-31T12:00:00Z', parseInstant),
  };
  return errors.length > 0 ? badFields(errors) : query;
}

function parseLimit(text: string): number | null {
  return /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_LIMIT ? Number(text) : null;
}
