import { describe, expect, test } from 'bun:test';
import { readWhoisAnswer } from '#src/network/registry/whois-answer.ts';
import { cpuMs } from '#test/support/cpu-time.ts';
import { NOT_FOUND_ANSWERS, REFUSALS } from './whois-remarks.ts';
import { WHOIS_SAMPLES_OF_EUROPE } from './whois-samples-europe.ts';
import { WHOIS_SAMPLES_OF_THE_WORLD } from './whois-samples-world.ts';

const WHOIS_SAMPLES = [...WHOIS_SAMPLES_OF_THE_WORLD, ...WHOIS_SAMPLES_OF_EUROPE];
const NOW = Date.parse('2026-01-01T00:00:00Z');

test.each(WHOIS_SAMPLES.map((sample) => [sample.registry, sample] as const))(
  'reads every field of an answer from %s, and no others',
  (_, sample) => {
    expect(readWhoisAnswer(sample.text, sample.domain, NOW)).toEqual({
      outcome: 'found',
      facts: {
        registrar: sample.registrar ?? null,
        createdAt: sample.created ?? null,
        updatedAt: sample.updated ?? null,
        expiresAt: sample.expires ?? null,
        statuses: sample.statuses ?? [],
        nameservers: sample.nameservers ?? [],
        registrantCountry: sample.country ?? null,
      },
      referral: sample.referral ?? null,
    });
  },
);

const IANA = `% IANA WHOIS server
refer:        whois.verisign-grs.com

domain:       COM

organisation: VeriSign Global Registry Services
contact:      administrative
name:         Registry Customer Service

nserver:      A.GTLD-SERVERS.NET 192.5.6.30
whois:        whois.verisign-grs.com
status:       ACTIVE
created:      1985-01-01
changed:      2026-12-07
source:       IANA

`;

test('does not take what IANA says of a suffix for facts about the domain', () => {
  const ofRegistry = 'Domain Name: EXAMPLE.COM\nCreation Date: 2025-03-04T00:00:00Z\nName Server: NS1.EXAMPLE.NET\n';
  const facts = { createdAt: '2025-03-04T00:00:00.000Z', nameservers: ['ns1.example.net'], statuses: [] };
  const joined = readWhoisAnswer(`${IANA}# whois.verisign-grs.com\n\n${ofRegistry}`, 'example.com', NOW);
  expect(joined).toMatchObject({ outcome: 'found', facts });
  expect(readWhoisAnswer(`${IANA.replace(/source.*/, '')}${ofRegistry}`, 'example.com', NOW)).toMatchObject({ facts });
  const unnamed = readWhoisAnswer(`${IANA}Created: 2025-03-04\n`, 'example.com', NOW);
  expect(unnamed).toMatchObject({ facts: { createdAt: facts.createdAt } });
  expect(readWhoisAnswer(IANA, 'example.com', NOW)).toEqual({
    outcome: 'referred',
    referral: 'whois.verisign-grs.com',
  });
});

test('passes over a date that cannot be read if there is another one', () => {
  const text = 'Domain: example.com\nCreated: N/A\nRegistered: 2025-03-04\nExpires: 0000-00-00\nExp date: 2027-03-04\n';
  expect(readWhoisAnswer(text, 'example.com', NOW)).toMatchObject({
    facts: { createdAt: '2025-03-04T00:00:00.000Z', expiresAt: '2027-03-04T00:00:00.000Z' },
  });
});

test('accepts any line ends and blank lines', () => {
  for (const { text, domain } of WHOIS_SAMPLES) {
    const expected = readWhoisAnswer(text, domain, NOW);
    expect(readWhoisAnswer(text.replaceAll('\n', '\r\n'), domain, NOW)).toEqual(expected);
    expect(readWhoisAnswer(`\n\n${text}\n\n`, domain, NOW)).toEqual(expected);
  }
});

test.each(NOT_FOUND_ANSWERS)('reads %p as “not found”', (text) => {
  expect(readWhoisAnswer(text, 'example.com', NOW)).toEqual({ outcome: 'not_found' });
});

test.each(REFUSALS)('reads %p as a refusal, never as “not found”', (text) => {
  expect(readWhoisAnswer(text, 'example.com', NOW)).toEqual({ outcome: 'refused' });
});

test('reports an answer about another domain as unreadable', () => {
  const text = 'Domain Name: EXAMPLE.COM.EVIL.NET\nCreation Date: 1995-08-14\n';
  expect(readWhoisAnswer(text, 'example.com', NOW)).toEqual({ outcome: 'unreadable' });
});

test('ignores a creation date in the future', () => {
  const answer = readWhoisAnswer('Registrar: X\nCreation Date: 2026-01-01T01:00:00Z', 'example.com', NOW);
  expect(answer).toMatchObject({ outcome: 'found', facts: { registrar: 'X', createdAt: null } });
});

describe('hostile text', () => {
  const HOSTILE: readonly (readonly [string, string])[] = [
    ['one endless line', 'a'.repeat(131072)],
    ['endless keys', 'a:'.repeat(65536)],
    ['endless brackets', '['.repeat(131072)],
    ['endless dots', `created${'.'.repeat(131000)}: 2024-05-06`],
    ['endless blanks', ' \t'.repeat(65536)],
    ['endless lines', '\n'.repeat(131072)],
    ['endless registrars', 'Registrar:\n'.repeat(11000)],
    ['endless statuses', Array.from({ length: 8000 }, (_, i) => `Status: s${i}`).join('\n')],
    ['zero bytes', 'Creation Date: 1995\u0000-08-14'],
  ];
  test.each(HOSTILE)('%s is read in bounded time and space', (_, text) => {
    const read = () => readWhoisAnswer(text, 'example.com', NOW);
    expect(cpuMs(read, 250)).toBeLessThan(250);
    expect(JSON.stringify(read()).length).toBeLessThan(16_384);
  });
});
