import { expect, test } from 'bun:test';
import { MAX_MEMBERS_BYTES, readPackManifest } from '#src/parts/packs/packs/manifest.ts';
import { PackError } from '#src/parts/packs/packs/pack-error.ts';
import { ABOUT } from '#test/support/packs.ts';

const listed = (name: string, bytes = 0) => ({ kind: 'other', name, bytes, sha256: '0'.repeat(64) });
const VALID = { ...ABOUT, format: 1, needs: '0.2.0', members: [listed('a.txt')] };
const read = (changed: object) => readPackManifest(Buffer.from(JSON.stringify({ ...VALID, ...changed })));

test('a manifest at each limit is accepted', () => {
  expect(MAX_MEMBERS_BYTES).toBe(256 * 1024 * 1024);
  for (const changed of [
    { name: 'a'.repeat(64) },
    { version: 1 },
    { version: Number.MAX_SAFE_INTEGER },
    { needs: '999999.999999.999999' },
    { publisher: 'P' },
    { publisher: 'P'.repeat(80) },
    { members: [listed('a'.repeat(128))] },
    { members: [listed('a/b/c/d/e.txt')] },
    { members: Array.from({ length: 1000 }, (_, n) => listed(`${n}.txt`)) },
    { members: [listed('a', MAX_MEMBERS_BYTES - 1), listed('b', 1)] },
    { members: [{ ...listed('a'), kind: `a${'0'.repeat(31)}` }] },
  ])
    expect(read(changed)).toMatchObject(changed);
});

test.each<[string, object]>([
  ['a name of 65 characters', { name: 'a'.repeat(65) }],
  ['a name that leads out of the folder', { name: '../a' }],
  ['a name with a line break behind it', { name: 'a\n' }],
  ['a name that begins with a hyphen', { name: '-a' }],
  ['version 0', { version: 0 }],
  ['a version that is no whole number', { version: 1.5 }],
  ['a version beyond exact integers', { version: Number.MAX_SAFE_INTEGER + 1 }],
  ['a needed version with a word before it', { needs: 'v0.2.0' }],
  ['a needed version with a word behind it', { needs: '0.2.0-x' }],
  ['a publisher without a name', { publisher: '' }],
  ['a publisher of 81 characters', { publisher: 'P'.repeat(81) }],
  ['a time with something before it', { created: 'x2026-01-01T00:00:00.000Z' }],
  ['a time with something behind it', { created: '2026-01-01T00:00:00.000Z ' }],
  ['a day that does not exist', { created: '2026-13-01T00:00:00.000Z' }],
  ['an end on a day that does not exist', { expires: '2027-13-01T00:00:00.000Z' }],
  ['an end at its beginning', { expires: ABOUT.created }],
  ['no members', { members: [] }],
  ['1,001 members', { members: Array.from({ length: 1001 }, (_, n) => listed(`${n}.txt`)) }],
  ['a member name of 129 characters', { members: [listed('a'.repeat(129))] }],
  ['a member six folders deep', { members: [listed('a/b/c/d/e/f.txt')] }],
  ['a member outside the folder', { members: [listed('/a.txt')] }],
  ['two members of one name in other letters', { members: [listed('a.txt'), listed('A.TXT')] }],
  ['a member of less than nothing', { members: [listed('a', -1)] }],
  ['members above 256 MiB together', { members: [listed('a', MAX_MEMBERS_BYTES), listed('b', 1)] }],
  ['a kind of 33 characters', { members: [{ ...listed('a'), kind: 'a'.repeat(33) }] }],
  ['a kind that begins with a digit', { members: [{ ...listed('a'), kind: '1a' }] }],
  ['a kind with a line break behind it', { members: [{ ...listed('a'), kind: 'a\n' }] }],
  ['a hash of 65 digits', { members: [{ ...listed('a'), sha256: '0'.repeat(65) }] }],
  ['a hash of 63 digits', { members: [{ ...listed('a'), sha256: '0'.repeat(63) }] }],
  ['another format', { format: 0 }],
])('a manifest with %s is refused', (_, changed) => {
  expect(() => read(changed)).toThrow('its manifest cannot be used');
});

test('a manifest that is not UTF-8, or begins with a byte order mark, is refused', () => {
  const bytes = Buffer.from(JSON.stringify(VALID));
  expect(readPackManifest(bytes).name).toBe(VALID.name);
  const at = bytes.indexOf(VALID.publisher);
  expect(() => readPackManifest(bytes.with(at, 0xff))).toThrow(PackError);
  expect(() => readPackManifest(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]))).toThrow(PackError);
});
