import { expect, test } from 'bun:test';
import { parseX509 } from '#src/network/certificate/x509.ts';
import { isAuthority, permitsDnsName, subjectNames } from '#src/network/certificate/x509-extensions.ts';
import { parseRegistryDate } from '#src/network/registry/date.ts';
import { readRdapAnswer } from '#src/network/registry/rdap-answer.ts';
import { readWhoisAnswer } from '#src/network/registry/whois-answer.ts';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { createRandom, type Random } from '#test/support/random.ts';
import { WHOIS_SAMPLES_OF_EUROPE } from './whois-samples-europe.ts';
import { WHOIS_SAMPLES_OF_THE_WORLD } from './whois-samples-world.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const SEED = 20_260_131;
const ROUNDS = 1500;

/** A text with pieces cut out, doubled, or replaced by whatever parsers stumble over. */
function mangle(random: Random, text: string): string {
  let mangled = text;
  for (let cuts = 1 + random.below(6); cuts > 0; cuts--) {
    const at = random.below(mangled.length + 1);
    const end = Math.min(at + random.below(24), mangled.length);
    const piece = random.pick([
      '',
      mangled.slice(at, end).repeat(2),
      random.text(12, ':[]().%#*-/ \t\r\n\u0000\u202e0é'),
      'Creation Date: ',
      '99999999999-99-99',
    ]);
    mangled = mangled.slice(0, at) + piece + mangled.slice(end);
  }
  return mangled;
}

/** A JSON value that has the names of RDAP and none of its order. */
function anyJson(random: Random, depth: number): unknown {
  const leaves = [
    null,
    true,
    -1,
    1e308,
    '',
    'domain',
    'registration',
    '2024-05-06',
    'registrar',
    'vcard',
    'fn',
    '\u0000',
  ];
  if (depth === 0 || random.below(4) === 0) return random.pick(leaves);
  const items = Array.from({ length: random.below(4) }, () => anyJson(random, depth - 1));
  if (random.below(2) === 0) return items;
  const names = ['objectClassName', 'ldhName', 'events', 'eventAction', 'eventDate', 'entities', 'roles', 'vcardArray'];
  return Object.fromEntries(items.map((item) => [random.pick(names), item]));
}

test(`reads a mangled WHOIS answer without an exception, and returns only valid past dates (seed ${SEED})`, () => {
  const random = createRandom(SEED);
  const samples = [...WHOIS_SAMPLES_OF_EUROPE, ...WHOIS_SAMPLES_OF_THE_WORLD];
  for (let round = 0; round < ROUNDS; round++) {
    const { text, domain } = random.pick(samples);
    const answer = readWhoisAnswer(mangle(random, text), domain, NOW);
    if (answer.outcome !== 'found') continue;
    const { createdAt, updatedAt } = answer.facts;
    for (const date of [createdAt, updatedAt]) {
      if (date !== null) expect(parseRegistryDate(date)).toBe(date);
      if (date !== null) expect(Date.parse(date)).toBeLessThanOrEqual(NOW);
    }
  }
});

test(`reads an RDAP answer of any structure without an exception (seed ${SEED})`, () => {
  const random = createRandom(SEED);
  for (let round = 0; round < ROUNDS; round++) {
    const json = anyJson(random, 5);
    const whole = typeof json === 'object' && json !== null ? { ...json, objectClassName: 'domain' } : json;
    expect(() => readRdapAnswer(whole, 'example.com', NOW)).not.toThrow();
  }
});

test(`reads a mangled certificate without an exception (seed ${SEED})`, () => {
  const random = createRandom(SEED);
  const { der } = createCertificateAuthority(NOW, {
    permittedNames: ['a.test'],
    names: ['a.test', '192.0.2.1'],
    pathLength: 1,
  });
  let read = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const mangled = Uint8Array.from(der);
    for (let changes = 1 + random.below(4); changes > 0; changes--)
      mangled[random.below(der.length)] = random.below(256);
    const certificate = parseX509(mangled);
    if (!certificate) continue;
    read++;
    expect(() => {
      subjectNames(certificate);
      isAuthority(certificate, 0);
      permitsDnsName(certificate, 'a.test');
    }).not.toThrow();
  }
  // Most changes hit a key, a signature or a text, so that there was something left to read.
  expect(read).toBeGreaterThan(ROUNDS / 4);
});
