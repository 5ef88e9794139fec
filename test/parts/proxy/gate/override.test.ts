import { expect, test } from 'bun:test';
import { MINUTE_MS } from '#src/core/base/clock.ts';
import { createOverrides } from '#src/parts/proxy/gate/override.ts';

const HOST = 'evil.example.com';
const CLIENT = '192.0.2.1';

function openOverrides(key = 'a') {
  const clock = { nowMs: 1_700_000_000_000, now: () => clock.nowMs, monotonicMs: () => clock.nowMs };
  return { clock, overrides: createOverrides(() => Buffer.alloc(32, key), clock) };
}

test('a link grants access to its host for its client, and returns the original URL', () => {
  const { overrides } = openOverrides();
  const path = overrides.linkFor(HOST, CLIENT, `https://${HOST}/x?y=1`);
  expect(path).not.toContain('x?y');
  expect(overrides.isGranted(HOST, CLIENT)).toBe(false);
  expect(overrides.grant(HOST, CLIENT, path)).toBe(`https://${HOST}/x?y=1`);
  expect(overrides.isGranted(HOST, CLIENT)).toBe(true);
  expect(overrides.isGranted(HOST, '192.0.2.2')).toBe(false);
  expect(overrides.isGranted(`other.${HOST}`, CLIENT)).toBe(false);
});

test('a link is invalid for another client, another host, another key and after ten minutes', () => {
  const { overrides, clock } = openOverrides();
  const path = overrides.linkFor(HOST, CLIENT, `https://${HOST}/`);
  expect(overrides.grant(HOST, '192.0.2.2', path)).toBeNull();
  expect(overrides.grant('other.example.com', CLIENT, path)).toBeNull();
  expect(openOverrides('b').overrides.grant(HOST, CLIENT, path)).toBeNull();
  for (const other of ['/', `${path}0`, path.replace(/\.[\da-f]/, '.x'), path.replace(/\d(?=\.)/, '1')])
    expect(overrides.grant(HOST, CLIENT, other)).toBeNull();
  clock.nowMs += 10 * MINUTE_MS + 1;
  expect(overrides.grant(HOST, CLIENT, path)).toBeNull();
});

test('an override ends after ten minutes', () => {
  const { overrides, clock } = openOverrides();
  overrides.grant(HOST, CLIENT, overrides.linkFor(HOST, CLIENT, `https://${HOST}/`));
  clock.nowMs += 10 * MINUTE_MS;
  expect(overrides.isGranted(HOST, CLIENT)).toBe(false);
});
