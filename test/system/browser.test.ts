import { beforeAll, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { type Static, Type } from '@sinclair/typebox';
import { parseAs } from '#test/support/parse-as.ts';
import { PUBLIC } from '#test/support/place.ts';
import { ESCAPES, HOSTILE_PAGES, PRIVATE_ADDRESSES, SECURE_ESCAPES } from './browser-escapes.ts';
import { runInNamespace } from './namespace.ts';

const Outcome = Type.Object({
  ...{ result: Type.String(), refused: Type.Integer(), url: Type.String(), pictureBytes: Type.Integer() },
});
const Printed = Type.Object({
  outcomes: Type.Record(Type.String(), Outcome),
  reached: Type.Array(Type.String()),
  ...{ killed: Type.String(), after: Type.String(), isOther: Type.Boolean() },
});

const BROWSER = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path)) ?? '';

let printed: Static<typeof Printed>;

beforeAll(async () => {
  const addresses = [PUBLIC.resolver, PUBLIC.siteAddress(0), '169.254.169.254', ...PRIVATE_ADDRESSES];
  printed = parseAs(Printed, await runInNamespace('browser-inside.ts', { addresses, args: [BROWSER] }));
});

test('no page reaches an address that the policy refuses, by at least 40 ways', () => {
  expect(ESCAPES.length + SECURE_ESCAPES.length).toBeGreaterThan(60);
  expect(printed.reached).toEqual([]);
  expect(printed.outcomes['a page without tricks']).toEqual({
    result: 'ok',
    refused: 0,
    url: 'http://p0.pages-lab.com/',
    pictureBytes: expect.any(Number),
  });
  const { pictureBytes = 0 } = printed.outcomes['a page without tricks'] ?? {};
  expect(pictureBytes > 0 && pictureBytes <= 200_000).toBe(true);
  const refused = Object.values(printed.outcomes).filter((one) => one.refused > 0);
  expect(refused.length).toBeGreaterThan(25);
});

test('no page shows a file or a page of the browser itself', () => {
  const urls = Object.values(printed.outcomes).filter(({ result }) => result === 'ok');
  expect(urls.map(({ url }) => url).filter((url) => url !== '' && !/^https?:\/\/p\d/.test(url))).toEqual([]);
});

test('every page costs its own visit alone', () => {
  const escapes = [...ESCAPES, ...SECURE_ESCAPES];
  const results = [...escapes, ...HOSTILE_PAGES].map(([name]) => printed.outcomes[name]?.result);
  expect(results.filter((result) => !['ok', 'timeout', 'error'].includes(result ?? ''))).toEqual([]);
  expect(escapes.filter(([name]) => printed.outcomes[name]?.result !== 'ok').map(([name]) => name)).toEqual([]);
  expect(printed.outcomes['a script without end']?.result).toBe('timeout');
  // On a busy machine its time may end before it was read once.
  expect(printed.outcomes['a script without end, later']?.result).toBeOneOf(['ok', 'timeout']);
});

test('a browser that is killed costs the visit in progress', () => {
  // On a busy machine it may die before the visit has begun, which then waits for another browser.
  expect(['error', 'timeout']).toContain(printed.killed);
  expect([printed.after, printed.isOther]).toEqual(['ok', true]);
});
