import { expect, test } from 'bun:test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type EndedSessions,
  endedSessionsFileIn,
  mergeEndedTexts,
  openEndedSessions,
  readEndedText,
} from '#src/admin/keys/ended-sessions.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const NOW_MS = 1_700_000_000_000;

function open(dataDir: string, nowMs = NOW_MS) {
  const lines: unknown[] = [];
  const clock = { now: () => nowMs, monotonicMs: () => 0 };
  const sessions = openEndedSessions(dataDir, clock, { error: (event) => lines.push(event) });
  return { ...sessions, lines, [Symbol.dispose]: () => sessions[Symbol.dispose]() };
}

const wasEnded = (sessions: Pick<EndedSessions, 'has'>, ...ids: string[]) =>
  ids.map((id) => sessions.has(id, NOW_MS - 1));

test('an ended session stays ended after a restart, until nobody could use it', async () => {
  await using directory = temporaryDirectory();
  {
    using sessions = open(directory.path);
    sessions.end('a', NOW_MS + 1000);
    expect(wasEnded(sessions, 'a', 'b', 'toString')).toEqual([true, false, false]);
  }
  using later = open(directory.path, NOW_MS + 2000);
  expect(wasEnded(later, 'a')).toEqual([true]);
  later.end('b', NOW_MS + 9000);
  expect(readFileSync(endedSessionsFileIn(directory.path), 'utf8')).toBe(`{"b":${NOW_MS + 9000}}\n`);
});

test('a session that ends now is forgotten, since nobody could use it', async () => {
  await using directory = temporaryDirectory();
  {
    using sessions = open(directory.path);
    sessions.end('a', NOW_MS + 1000);
  }
  using later = open(directory.path, NOW_MS + 1000);
  later.end('b', NOW_MS + 9000);
  expect(readFileSync(endedSessionsFileIn(directory.path), 'utf8')).toBe(`{"b":${NOW_MS + 9000}}\n`);
});

test.each([
  ['[]', '{}', 'the data directory'],
  ['{}', '[]', 'the database'],
])('damaged sessions in %p and %p are reported with their place', (one, other, place) => {
  expect(() => mergeEndedTexts(one, other)).toThrow(place);
});

test('damaged sessions are named with their file, and another file that cannot be read likewise', async () => {
  await using directory = temporaryDirectory();
  const path = endedSessionsFileIn(directory.path);
  expect(path).toBe(join(directory.path, 'ended-sessions.json'));
  expect(readEndedText(null, path)).toEqual({});
  expect(() => readEndedText('[]', path)).toThrow(
    `the ended sessions in ${path} cannot be used: the file is damaged; restore it`,
  );
  mkdirSync(path);
  const errors: unknown[] = [];
  const clock = { now: () => NOW_MS, monotonicMs: () => 0 };
  using sessions = openEndedSessions(directory.path, clock, { error: (_, fields) => errors.push(fields) });
  writeFileSync(`${path}.new`, '');
  sessions.end('a', NOW_MS + 1000);
  const messages = errors.map((fields) => String((fields as { readonly error: unknown }).error));
  expect(messages).toEqual([
    expect.stringContaining('the ended sessions in '),
    expect.stringContaining('another process changes the ended sessions'),
  ]);
});

test('with a sound file no session counts as ended because of its age', async () => {
  await using directory = temporaryDirectory();
  using sessions = open(directory.path);
  expect([sessions.has('a', 0), sessions.lines]).toEqual([false, []]);
});

test('two processes that end sessions see those of each other', async () => {
  await using directory = temporaryDirectory();
  using one = open(directory.path);
  using other = open(directory.path);
  one.end('a', NOW_MS + 1000);
  other.end('b', NOW_MS + 1000);
  await Promise.all([one.file.checkNow(), other.file.checkNow()]);
  expect([wasEnded(one, 'a', 'b'), wasEnded(other, 'a', 'b')]).toEqual([
    [true, true],
    [true, true],
  ]);
});

test('with a damaged file no earlier session can be used, and the next sign-out repairs it', async () => {
  await using directory = temporaryDirectory();
  const path = endedSessionsFileIn(directory.path);
  writeFileSync(path, '{"a": "soon"}');
  using sessions = open(directory.path);
  expect([sessions.has('x', NOW_MS - 1), sessions.has('x', NOW_MS), sessions.lines]).toEqual([
    true,
    false,
    ['sessions.kept'],
  ]);
  sessions.end('x', NOW_MS + 1000);
  expect(readEndedText(readFileSync(path, 'utf8'), path)).toEqual({ x: NOW_MS + 1000 });
});

test('a file that cannot be written ends a session in this process', () => {
  using sessions = open('/proc/none');
  sessions.end('a', NOW_MS + 1000);
  expect([wasEnded(sessions, 'a'), sessions.lines]).toEqual([[true], ['sessions.kept']]);
});

test('a merge has the sessions of both, and at most 20,000', () => {
  expect(mergeEndedTexts('{"a":1}', '{"b":2}')).toBe('{"a":1,"b":2}\n');
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`s${n}`, n + 1])));
  const kept = Object.keys(JSON.parse(mergeEndedTexts(many, '{"a":0}')));
  expect([kept.length, kept.includes('a')]).toEqual([20_000, false]);
});
