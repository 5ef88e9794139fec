import { expect, test } from 'bun:test';
import { UnavailableError } from '#src/core/base/errors/operation-error.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { createProblemOf } from '#src/service/server/http/faults.ts';

test('refusals with 503 are logged once per minute and code, with their number', () => {
  const lines: string[] = [];
  let nowMs = 0;
  const logger = createLogger('info', (line) => lines.push(line));
  const problemOf = createProblemOf(logger, { monotonicMs: () => nowMs });
  const refuse = (code: 'overloaded' | 'log_unavailable' | 'stopping', requestId: string) =>
    problemOf(new UnavailableError(code, 'Not now.', 1), { requestId, isPrivate: true });
  for (const id of ['a', 'b', 'c']) refuse('overloaded', id);
  refuse('log_unavailable', 'd');
  refuse('stopping', 'e');
  nowMs = 60_000;
  refuse('overloaded', 'f');
  expect(lines.map((line) => JSON.parse(line)).map(({ time: _, ...event }) => event)).toEqual([
    { level: 'warn', event: 'request.unavailable', code: 'overloaded', request_id: 'a', refused: 1 },
    { level: 'warn', event: 'request.unavailable', code: 'log_unavailable', request_id: 'd', refused: 1 },
    { level: 'warn', event: 'request.unavailable', code: 'overloaded', request_id: 'f', refused: 3 },
  ]);
});
