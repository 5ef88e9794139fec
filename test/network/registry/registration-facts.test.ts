import { describe, expect, test } from 'bun:test';
import {
  hasFacts,
  mergeFacts,
  NO_FACTS,
  normalizeFacts,
  type RegistrationFacts,
} from '#src/network/registry/registration-facts.ts';
import { NOW_MS } from '#test/support/now.ts';

const tidy = (raw: Parameters<typeof normalizeFacts>[0]) => normalizeFacts(raw, NOW_MS);
const at = (ms: number) => new Date(ms).toISOString();

test('an empty answer has no facts', () => {
  expect(tidy({})).toEqual(NO_FACTS);
  expect(hasFacts(NO_FACTS)).toBe(false);
});

test('ignores future creation and update dates, but accepts future expiry dates', () => {
  const said = (ms: number) => tidy({ created: at(ms), updated: at(ms), expires: at(ms) });
  const now = at(NOW_MS);
  expect(said(NOW_MS)).toMatchObject({ createdAt: now, updatedAt: now, expiresAt: now });
  expect(said(NOW_MS + 1000)).toMatchObject({ createdAt: null, updatedAt: null, expiresAt: at(NOW_MS + 1000) });
  expect(tidy({ expires: 'never' }).expiresAt).toBeNull();
});

test.each([
  ['Example Registrar', 'Example Registrar'],
  ['Example (https://registrar.example)', 'Example'],
  ['Example https://registrar.example/ and more', 'Example'],
  ['  Example\r\n Registrar ', 'Example Registrar'],
  ['REDACTED FOR PRIVACY', null],
  ['Not Disclosed', null],
  ['Data Protected', null],
  ['withheld', null],
  ['Privacy Guard', null],
  ['Notredacted Ltd', 'Notredacted Ltd'],
  ['', null],
  ['x'.repeat(300), 'x'.repeat(256)],
])('reads the registrar %p as %p', (registrar, told) => {
  expect(tidy({ registrar }).registrar).toBe(told);
});

test.each([
  ['no', 'NO'],
  ['US', 'US'],
  ['USA', null],
  ['1US', null],
  ['U', null],
  ['', null],
])('reads the country %p as %p', (country, told) => {
  expect(tidy({ country }).registrantCountry).toBe(told);
});

/** Of 244 characters, where a name may have 253. */
const LONG = `${'a'.repeat(60)}.`.repeat(4);

test.each([
  ['NS1.Example.com.', ['ns1.example.com']],
  ['ns1.example.com 192.0.2.1', ['ns1.example.com']],
  ['ns1.example.com,ns2.example.com', ['ns1.example.com']],
  ['ns1.example.com;x', ['ns1.example.com']],
  ['ns1.example.com[192.0.2.1]', ['ns1.example.com']],
  ['ns1.example.com(x)', ['ns1.example.com']],
  ['_ns.example', ['_ns.example']],
  ['a.bc', ['a.bc']],
  ['a.b', []],
  ['localhost', []],
  ['x!ns1.example.com', []],
  ['ns1.example.com!', []],
  ['-ns1.example.com', []],
  [`${LONG}abcdefghi`, [`${LONG}abcdefghi`]],
  [`${LONG}abcdefghij`, []],
])('reads the name server %p as %p', (nameserver, told) => {
  expect(tidy({ nameservers: [nameserver] }).nameservers).toEqual(told);
});

test('a list has each item once, in its first spelling, and at most 32 items', () => {
  expect(tidy({ statuses: ['clientHold https://icann.org/epp#clientHold', '', 'CLIENTHOLD', 'ok'] }).statuses).toEqual([
    'clientHold',
    'ok',
  ]);
  const many = Array.from({ length: 33 }, (_, i) => `status ${i}`);
  expect(tidy({ statuses: many }).statuses).toEqual(many.slice(0, 32));
});

const FULL: RegistrationFacts = {
  registrar: 'A',
  createdAt: at(1),
  updatedAt: at(2),
  expiresAt: at(3),
  statuses: ['ok'],
  nameservers: ['ns1.example'],
  registrantCountry: 'NO',
};

describe('a registration fact', () => {
  test.each(Object.keys(FULL) as (keyof RegistrationFacts)[])(
    '%s is sufficient, and is taken from a second answer if the first does not have it',
    (key) => {
      const alone: RegistrationFacts = { ...NO_FACTS, [key]: FULL[key] };
      const without: RegistrationFacts = { ...FULL, [key]: NO_FACTS[key] };
      expect(hasFacts(alone)).toBe(true);
      expect(mergeFacts(alone, NO_FACTS)).toEqual(alone);
      expect(mergeFacts(NO_FACTS, alone)).toEqual(alone);
      expect(mergeFacts(without, alone)).toEqual(FULL);
    },
  );

  test('of the first answer has precedence', () => {
    const other: RegistrationFacts = {
      registrar: 'B',
      createdAt: at(4),
      updatedAt: at(5),
      expiresAt: at(6),
      statuses: ['hold'],
      nameservers: ['ns2.example'],
      registrantCountry: 'SE',
    };
    expect(mergeFacts(FULL, other)).toEqual(FULL);
  });
});
