import { expect, test } from 'bun:test';
import { UsageError } from '#src/interfaces/cli/command.ts';
import { readCriterion } from '#src/interfaces/cli/history/criterion.ts';
import { selectedDomain, timeOf } from '#src/interfaces/cli/log/log-request.ts';

/** An invocation with these options. */
const of = (options: Readonly<Record<string, string>>) => ({ text: (name: string) => options[name] });

test.each([
  ['2026-01-31', Date.UTC(2026, 0, 31)],
  ['2026-01-31T12:00Z', Date.UTC(2026, 0, 31, 12)],
  ['2026-01-31T12:00+02:00', Date.UTC(2026, 0, 31, 10)],
  ['2026-01-31T12:00:01.5Z', Date.UTC(2026, 0, 31, 12, 0, 1, 500)],
])('%s is a time of an option', (text, ms) => {
  expect(timeOf(of({ from: text }), 'from')).toBe(ms);
});

test.each(['2026-02-30', '2025-02-29', '2026-01-31T24:00:00Z', '2026-01-31T12:00', 'yesterday', ''])(
  'an option refuses %p, which is no time',
  (text) => {
    expect(() => timeOf(of({ from: text }), 'from')).toThrow(`--from must be a time such as 2026-01-31 or`);
  },
);

test('checks before a day that does not exist are not deleted', () => {
  expect(() => readCriterion(of({ before: '2026-02-30' }) as never)).toThrow(UsageError);
});

test('an option takes a domain, and refuses a URL, of which no check would be found', () => {
  expect([selectedDomain(of({})), selectedDomain(of({ domain: '*.Example.COM.' }))]).toEqual([null, 'example.com']);
  for (const text of ['https://example.com/', 'example.com/login', 'example.com:80', ''])
    expect(() => selectedDomain(of({ domain: text }))).toThrow(
      `--domain requires a domain such as example.com, not "${text}"`,
    );
});
