import { expect, test } from 'bun:test';
import { readWhoisFields } from '#src/network/registry/whois-answer.ts';

const read = (text: string) =>
  readWhoisFields(text).map(({ section, key, value, paragraph }) => `${paragraph} ${section}|${key}=${value}`);

test('reads a key and its value on one line', () => {
  expect(read('Domain Name: a.example\r\nName-Server_2:ns1.example\rCreated_On.. 1: today')).toEqual([
    '0 |domain name=a.example',
    '0 |name server=ns1.example',
    '0 |created on=today',
  ]);
});

test('reads a key in brackets, after a letter and a dot, or after asterisks', () => {
  expect(read('a. [Domain Name]   a.example\n**Registrant: x\n[Empty]\n*  Owner: y')).toEqual([
    '0 |domain name=a.example',
    '0 |registrant=x',
    '0 empty|owner=y',
  ]);
});

test('reads values on the lines below a key, up to a blank line', () => {
  expect(read('Nameservers:\n  ns1.example\n  ns2.example\n\nalone\nbelow')).toEqual([
    '0 nameservers|nameservers=ns1.example',
    '0 nameservers|nameservers=ns2.example',
    '1 alone|alone=below',
  ]);
});

test('applies a heading to the keys below it, up to a blank line', () => {
  expect(read('Registrar\nName: a\nURL: b\n\nName: c')).toEqual([
    '0 registrar|name=a',
    '0 registrar|url=b',
    '1 |name=c',
  ]);
});

test('reads the sentences that two registries use instead of keys', () => {
  expect(read('Record created on 2003-05-06\nRegistered on 6th May 2003\nrecord expires on 9')).toEqual([
    '0 |record created on=2003-05-06',
    '0 |registered on=6th May 2003',
    '0 |record expires on=9',
  ]);
  expect(read('x\nThe record created on 2003-05-06')).toEqual(['0 x|x=The record created on 2003-05-06']);
});

test('reads a line without a valid key as a value of the previous key', () => {
  const values = ['https://a.example/b', 'until 2024: nothing', 'a.example: b', '1: one', `${'k'.repeat(61)}: long`];
  expect(read(`open: x\n${values.join('\n')}`)).toEqual(
    ['open=x', ...values.map((value) => `open=${value}`)].map((pair) => `0 |${pair}`),
  );
  expect(read(`${'k'.repeat(60)}: v`)).toEqual([`0 |${'k'.repeat(60)}=v`]);
});

test('ignores comments', () => {
  expect(read('% a: b\n# a: b\n>>> a: b\n-- a: b\n  % a: b\na: b % c')).toEqual(['0 |a=b % c']);
});

test('reads at most 1,024 characters of a line, and 4,000 lines of an answer', () => {
  expect(read(`a: ${'x'.repeat(2000)}`)).toEqual([`0 |a=${'x'.repeat(1021)}`]);
  expect(read('a: b\n'.repeat(5000))).toHaveLength(4000);
});
