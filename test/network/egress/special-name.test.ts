import { expect, test } from 'bun:test';
import { type NameRefusal, refuseName } from '#src/network/egress/policy/policy.ts';

const label = (length: number) => 'a'.repeat(length);
/** A name of that many characters, with labels of at most 61. */
const nameOf = (length: number) => `${`${label(61)}.`.repeat(4)}${label(length - 248)}`;

test.each<[string, NameRefusal | null]>([
  ['a.example.net', null],
  ['_dmarc.example.net', null],
  ['xn--bcher-kva.example.net', null],
  [`${label(63)}.net`, null],
  [`${label(64)}.net`, 'name-length'],
  [nameOf(253), null],
  [nameOf(254), 'name-length'],
  ['', 'name-syntax'],
  ['a..net', 'name-syntax'],
  ['.net', 'name-syntax'],
  ['a.net.', 'name-syntax'],
  ['A.net', 'name-syntax'],
  ['a b.net', 'name-syntax'],
  ['a.net:80', 'name-syntax'],
  ['bücher.net', 'name-syntax'],
  ['a\u0000.net', 'name-syntax'],
  ['example.1', 'name-syntax'],
  ['127.1', 'name-syntax'],
  ['1.2.3.4', 'name-syntax'],
  ['2130706433', 'name-syntax'],
  ['0x7f', 'name-syntax'],
  ['example.0x7f', 'name-syntax'],
  ['example.0x', 'name-syntax'],
  ['example.1a', null],
  ['example.a1', null],
  ['example.0xg', null],
  ['example.x0x1', null],
  ['1.example', 'special-tld'],
  ['intranet', 'single-label'],
  ['localhost', 'single-label'],
  ['_dmarc.intranet', 'single-label'],
  ['_dmarc.localhost', 'single-label'],
  ['a.localhost', 'special-tld'],
  ['a.onion', 'special-tld'],
  ['onion.net', null],
])('the name %p has the refusal %p', (name, refusal) => {
  expect(refuseName(name, [])).toBe(refusal);
});

test('an allowed special name with its subdomains is accepted if its syntax is valid', () => {
  const allowed = ['nas', 'lab.internal'];
  for (const name of ['nas', 'a.nas', 'lab.internal', 'a.b.lab.internal']) expect(refuseName(name, allowed)).toBeNull();
  for (const name of ['xnas', 'nas2', 'internal']) expect(refuseName(name, allowed)).toBe('single-label');
  for (const name of ['xlab.internal', 'nas.internal']) expect(refuseName(name, allowed)).toBe('special-tld');
  expect(refuseName(`${label(64)}.nas`, allowed)).toBe('name-length');
  expect(refuseName('a b.nas', allowed)).toBe('name-syntax');
  expect(refuseName('127.1', ['1'])).toBe('name-syntax');
});
