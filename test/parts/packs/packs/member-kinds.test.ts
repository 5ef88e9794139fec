import { expect, test } from 'bun:test';
import { memberKindOf, sortMembers } from '#src/parts/packs/packs/manifest.ts';

const KNOWN = {
  'model/lexical.bin': 'model',
  'model/fusion.json': 'model',
  'brands.json': 'brands',
  'thresholds.json': 'thresholds',
  'lists/block/feed.txt': 'list',
  'lists/allow/own-1_a.csv': 'list',
  [`lists/block/${'a'.repeat(32)}.${'b'.repeat(8)}`]: 'list',
  'facts/rdap-servers.json': 'facts',
  'facts/whois-servers.json': 'facts',
  'next-key.pem': 'key',
} as const;

test.each(Object.entries(KNOWN))('%s in a pack is a member of the kind %s', (name, kind) => {
  expect(memberKindOf(name)).toBe(kind);
});

test.each(Object.keys(KNOWN))('%s is not a known member with anything before or after it', (name) => {
  for (const other of [`x${name}`, `x/${name}`, `${name}/x`, `${name}-x`, ` ${name}`, `${name}\n`])
    expect([other, memberKindOf(other)]).toEqual([other, null]);
});

test.each([
  'lists/block/.txt',
  'lists/block/-a.txt',
  'lists/block/A.txt',
  'lists/warn/a.txt',
  'lists/block/a',
  'lists/block/a/b.txt',
  `lists/block/${'a'.repeat(33)}.txt`,
  `lists/block/a.${'b'.repeat(9)}`,
  'model/other.bin',
  'brandsxjson',
  'facts/brands.json',
  'facts/rdap-servers-json',
  'constructor',
  '',
])('“%s” is not a known member', (name) => {
  expect(memberKindOf(name)).toBeNull();
});

test('members of unknown kinds are ignored, and a known kind requires its file name', () => {
  const member = (kind: string, name: string) => ({ kind, name, bytes: 0, sha256: '0'.repeat(64) });
  const members = [member('brands', 'brands.json'), member('toString', 'a.txt'), member('newer', 'brands.json')];
  expect(sortMembers({ members })).toEqual({
    knownMembers: [{ ...member('brands', 'brands.json'), kind: 'brands' }],
    unknownMembers: ['a.txt', 'brands.json'],
  });
  expect(() => sortMembers({ members: [member('key', 'brands.json')] })).toThrow('brands.json');
});
