import { expect, test } from 'bun:test';
import type { LogFields } from '#src/core/base/logger.ts';
import { localSyslogMessage, syslogMessage } from '#src/parts/monitoring/syslog/message.ts';
import { readSyslogMessage } from './read-message.ts';

const ORIGIN = { hostname: 'box-7', processId: 4711 };
const AT_MS = Date.UTC(2026, 0, 31, 12);

function written(fields: LogFields, event = 'check.done'): string {
  const message = syslogMessage({ atMs: AT_MS, level: 'warn', event, fields }, ORIGIN);
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(message);
}

test('a message has the format of RFC 5424', () => {
  const fields = { decision: 'block', url: 'http://a.example/', probes: { page: 'ok' }, none: null, number: 0.5 };
  expect(written(fields)).toBe(
    '<28>1 2026-01-31T12:00:00.000Z box-7 lurecheck 4711 check.done ' +
      '- \ufeffcheck.done decision="block" url="http://a.example/" probes.page="ok" number="0.5"',
  );
});

test('a message to a local socket has the format of syslog(3)', () => {
  const told = { atMs: AT_MS, level: 'error', event: 'log.failed', fields: { problem: 'full\n' } } as const;
  const [head, body] = new TextDecoder().decode(localSyslogMessage(told, ORIGIN)).split(' lurecheck[4711]: ');
  // By the clock on the wall, and without a year.
  expect(head).toBe(
    `<27>${new Date(AT_MS).toString().replace(/^\w+ (\w+) 0?(\d+) \d+ ([\d:]+) .*$/, (_, month, day, time) => `${month} ${day.padStart(2)} ${time}`)}`,
  );
  expect(body).toBe('log.failed problem="full\\\\x0a"');
});

const HOSTILE = ['"] \\ [x y="z"]', '\n<13>1 - - - - - -', '\0\x1b[31m\u202e\u2028\ud800', '\\', '"', ']', 'ü€🎣'];

test('any text in a value stays one value in one line, with control characters escaped', () => {
  for (const text of HOSTILE) {
    const fields = { message: text, inner: { [`a="]${text}`]: [text] }, error: new Error(text) };
    const { values, event: shown } = readSyslogMessage(written(fields, `event ${text}`));
    expect(Object.keys(values)).toHaveLength(4);
    expect(values['message']).toBe(String(values['error.message']));
    expect(`${JSON.stringify(values)}${shown}`).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Cs}]/u);
  }
  expect(readSyslogMessage(written({ message: HOSTILE[0] })).values['message']).toBe('"] \\ [x y="z"]');
  expect(readSyslogMessage(written({ message: 'ü€🎣\n' })).values['message']).toBe('ü€🎣\\x0a');
});

test('header fields are not empty, contain no space and are bounded, and a message stays within 8 KiB', () => {
  for (const hostname of ['', 'a b', 'ü'.repeat(400), 'x\n']) {
    for (const letter of ['"', '€', 'a']) {
      const fields = Object.fromEntries(
        Array.from({ length: 9 }, (_, at) => [`${at}${'long'.repeat(20)}`, letter.repeat(100_000)]),
      );
      const event = { atMs: AT_MS, level: 'info', event: 'e'.repeat(9000), fields } as const;
      const message = syslogMessage(event, { ...ORIGIN, hostname });
      const { header, values } = readSyslogMessage(new TextDecoder().decode(message));
      expect(header[2]).toMatch(/^[!-~]{1,255}$/);
      expect(header[5]).toMatch(/^[!-~]{1,32}$/);
      expect(values['truncated']).toBe('true');
      expect(message.length).toBeLessThan(8 * 1024);
    }
  }
});
