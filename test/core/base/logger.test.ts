import { expect, test } from 'bun:test';
import { createLogger } from '#src/core/base/logger.ts';

test('a logger writes one JSON line for each event of at least its level', () => {
  const lines: string[] = [];
  const logger = createLogger(
    'warn',
    (line) => lines.push(line),
    () => 0,
  );
  logger.info('quiet');
  logger.warn('loud', { text: 'a\nb' });
  expect(lines).toEqual(['{"time":"1970-01-01T00:00:00.000Z","level":"warn","event":"loud","text":"a\\nb"}\n']);
});

test('a logger writes the name and message of an error', () => {
  const lines: string[] = [];
  createLogger('debug', (line) => lines.push(line)).error('fault', { error: new TypeError('broken') });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ error: { name: 'TypeError', message: 'broken' } });
});
