import { describe, expect, test } from 'bun:test';
import { readRdapAnswer } from '#src/network/registry/rdap-answer.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

const EXAMPLE = {
  objectClassName: 'domain',
  ldhName: 'EXAMPLE.COM',
  status: ['active', 'client transfer prohibited', 'active'],
  events: [
    { eventAction: 'registration', eventDate: '1995-08-14T04:00:00Z' },
    { eventAction: 'expiration', eventDate: '2030-08-13T04:00:00Z' },
    { eventAction: 'last changed', eventDate: '2025-08-14T07:01:44Z' },
    { eventAction: 'last update of RDAP database', eventDate: '2025-12-31T00:00:00Z' },
  ],
  nameservers: [{ ldhName: 'A.IANA-SERVERS.NET.' }, { ldhName: 'b.iana-servers.net' }, { ldhName: 7 }, null],
  entities: [
    { roles: ['registrar'], vcardArray: ['vcard', [['fn', {}, 'text', 'Example Registrar']]] },
    {
      roles: ['registrant'],
      vcardArray: ['vcard', [['adr', { cc: 'us' }, 'text', ['', '', '', '', '', '', 'United States']]]],
    },
  ],
  links: [
    { rel: 'self', href: 'https://rdap.example/domain/example.com', type: 'application/rdap+json' },
    { rel: 'related', href: 'https://registrar.example/domain/example.com', type: 'application/rdap+json' },
  ],
};

const read = (json: unknown) => readRdapAnswer(json, 'example.com', NOW);

test('reads all facts of a domain object as in RFC 9083', () => {
  expect(read(EXAMPLE)).toEqual({
    facts: {
      registrar: 'Example Registrar',
      createdAt: '1995-08-14T04:00:00.000Z',
      updatedAt: '2025-08-14T07:01:44.000Z',
      expiresAt: '2030-08-13T04:00:00.000Z',
      statuses: ['active', 'client transfer prohibited'],
      nameservers: ['a.iana-servers.net', 'b.iana-servers.net'],
      registrantCountry: 'US',
    },
    related: 'https://registrar.example/domain/example.com',
  });
});

test('reads events in any spelling, and passes over those without a readable date', () => {
  const created = (...events: (readonly [string, unknown])[]) =>
    read({ ...EXAMPLE, events: events.map(([eventAction, eventDate]) => ({ eventAction, eventDate })) })?.facts
      .createdAt;
  const may = '2024-05-06T00:00:00.000Z';
  expect(created(['Registration', '2024-05-06'])).toBe(may);
  expect(created(['REGISTRATION', '2024-05-06'])).toBe(may);
  expect(
    created(['registration', null], ['registration', ''], ['registration', 'x'], ['registration', '2024-05-06']),
  ).toBe(may);
  const changed = { ...EXAMPLE, events: [{ eventAction: 'last_changed', eventDate: '2024-05-06' }] };
  expect(read(changed)?.facts.updatedAt).toBe(may);
  const roles = { ...EXAMPLE, entities: [{ ...EXAMPLE.entities[0], roles: ['Registrar'] }] };
  expect(read(roles)?.facts.registrar).toBe('Example Registrar');
});

test('a name that was registered again is as old as its present registration', () => {
  const created = (...events: (readonly [string, string])[]) =>
    read({ ...EXAMPLE, events: events.map(([eventAction, eventDate]) => ({ eventAction, eventDate })) })?.facts
      .createdAt;
  const [old, may] = ['1999-01-01', '2024-05-06'];
  const expected = '2024-05-06T00:00:00.000Z';
  expect(created(['registration', old], ['reregistration', may])).toBe(expected);
  expect(created(['Reregistration', may], ['registration', old])).toBe(expected);
  expect(created(['reregistration', may])).toBe(expected);
  expect(created(['registration', may], ['reregistration', old])).toBe(expected);
  expect(created(['registration', may], ['reregistration', '2999-01-01'])).toBe(expected);
});

test('accepts an object that names the domain without its class, or with a class in capitals', () => {
  const { objectClassName, ...unclassed } = EXAMPLE;
  expect(objectClassName).toBe('domain');
  expect(read(unclassed)).toEqual(read(EXAMPLE));
  expect(read({ ...EXAMPLE, objectClassName: 'Domain' })).toEqual(read(EXAMPLE));
  expect(read({ ...unclassed, ldhName: undefined })).toBeNull();
  expect(read({ ...unclassed, ldhName: 'other.com' })).toBeNull();
  expect(read({ ...EXAMPLE, objectClassName: 'nameserver' })).toBeNull();
});

test('finds a registrar within another entity', () => {
  const nested = { ...EXAMPLE, entities: [{ roles: ['technical'], entities: EXAMPLE.entities }] };
  expect(read(nested)?.facts.registrar).toBe('Example Registrar');
});

test('finds an entity within up to two others, but not within three', () => {
  const within = (depth: number, entities: unknown): unknown =>
    depth === 0 ? entities : within(depth - 1, [{ roles: [], entities }]);
  const registrarAt = (depth: number) =>
    read({ ...EXAMPLE, entities: within(depth, EXAMPLE.entities) })?.facts.registrar;
  expect([0, 1, 2, 3].map(registrarAt)).toEqual(['Example Registrar', 'Example Registrar', 'Example Registrar', null]);
});

test('returns the first name of a registrar, else its organisation, else its handle', () => {
  const card = (...properties: readonly (readonly [string, string])[]) => ({
    roles: ['registrar'],
    handle: '292',
    vcardArray: ['vcard', properties.map(([name, text]) => [name, {}, 'text', text])],
  });
  const named = (...entities: readonly object[]) => read({ ...EXAMPLE, entities })?.facts.registrar;
  expect(named(card(['org', 'An Organisation'], ['fn', 'A Name'], ['fn', 'Another']))).toBe('A Name');
  expect(named(card(['org', 'An Organisation'], ['fn', '']))).toBe('An Organisation');
  expect(named(card(['kind', 'org']))).toBe('292');
  expect(named(card(['fn', 'First']), card(['fn', 'Second']))).toBe('First');
});

test('reads the country code of the first registrant, from a parameter or the end of its address', () => {
  const address = (parameters: object, last: string) => ({
    roles: ['registrant'],
    vcardArray: ['vcard', [['adr', parameters, 'text', ['', '', '', '', '', '', last]]]],
  });
  const country = (...entities: readonly object[]) => read({ ...EXAMPLE, entities })?.facts.registrantCountry;
  expect(country(address({ cc: 'no' }, 'SE'))).toBe('NO');
  expect(country(address({}, 'SE'))).toBe('SE');
  expect(country(address({}, 'Sweden'))).toBeNull();
  expect(country(address({}, 'SE'), address({}, 'NO'))).toBe('SE');
  expect(country({ roles: ['technical'], vcardArray: address({}, 'SE').vcardArray })).toBeNull();
});

test('returns a related link only if it has the RDAP media type', () => {
  const link = (rel: string, type?: string) => ({ rel, type, href: `https://${rel}.example/` });
  const related = (...links: readonly object[]) => read({ ...EXAMPLE, links })?.related;
  expect(related(link('self', 'application/rdap+json'), link('related', 'text/html'), link('related'))).toBeNull();
  expect(related(link('related', 'application/RDAP+json'))).toBe('https://related.example/');
  expect(related({ ...link('related', 'application/rdap+json'), href: '' })).toBeNull();
});

test('accepts a domain without a name, and refuses other objects', () => {
  const { ldhName: _, ...nameless } = EXAMPLE;
  expect(read(nameless)?.facts.registrar).toBe('Example Registrar');
  expect(read({ ...EXAMPLE, ldhName: 'Example.COM.' })).not.toBeNull();
  expect(read({ ...EXAMPLE, objectClassName: 'entity' })).toBeNull();
});

test('reads at most 256 items of a list', () => {
  const status = Array.from({ length: 257 }, (_, i) => (i < 255 ? 'ok' : `s${i}`));
  expect(read({ ...EXAMPLE, status })?.facts.statuses).toEqual(['ok', 's255']);
});

test('ignores a name that is withheld for privacy', () => {
  const vcardArray = ['vcard', [['fn', {}, 'text', 'REDACTED FOR PRIVACY']]];
  expect(read({ ...EXAMPLE, entities: [{ roles: ['registrar'], vcardArray }] })?.facts.registrar).toBeNull();
});

test('refuses an answer about another domain', () => {
  expect(read({ ...EXAMPLE, ldhName: 'example.net' })).toBeNull();
});

test('removes control characters', () => {
  const vcardArray = ['vcard', [['fn', {}, 'text', 'Evil\r\n\u001b[31mRegistrar\u202e']]];
  const facts = read({ ...EXAMPLE, entities: [{ roles: ['registrar'], vcardArray }] })?.facts;
  expect(facts?.registrar).toBe('Evil [31mRegistrar');
});

describe('a member of any type is read without an exception', () => {
  const ODD = [null, 0, '', 'x', [], {}, [[]], [{}], { length: 9 }, [[[['fn']]]], true];
  const PATHS = ['objectClassName', 'ldhName', 'status', 'events', 'nameservers', 'entities', 'links'];
  test.each(PATHS)('%s', (path) => {
    for (const odd of ODD) expect(() => read({ ...EXAMPLE, [path]: odd })).not.toThrow();
  });
  test('the answer itself', () => {
    for (const odd of ODD) expect(read(odd)).toBeNull();
  });
});

test('an answer with a __proto__ member does not change any prototype', () => {
  read(JSON.parse('{"objectClassName":"domain","__proto__":{"polluted":1},"events":[]}'));
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});
