import { expect, test } from 'bun:test';
import type { LogEntry } from '#src/checks/store/scan-log.ts';
import type { ExportSubject } from '#src/parts/export/export-subject.ts';
import { writeStix } from '#src/parts/export/stix.ts';
import { entryOf, reading, textOf } from './entries.ts';
import { REST, SUSPICIOUS } from './suspicious.ts';

const SUBJECT: ExportSubject = { visibility: 'public', source: 'box "1"', selection: 'all' };

type Json = Record<string, unknown>;

async function objectsOf(entries: readonly LogEntry[], subject = SUBJECT): Promise<Json[]> {
  return JSON.parse(await textOf(writeStix(reading(entries), subject))).objects;
}

const ofType = (objects: readonly Json[], type: string) => objects.filter((one) => one['type'] === type);

const ALL = [...SUSPICIOUS, ...REST];
const objects = await objectsOf(ALL);

/** What STIX 2.1 asks of each type that is written, beside what it asks of all (3.2): members that must be there, and no others are. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  identity: ['created', 'modified', 'name', 'description', 'identity_class'],
  indicator:
    'created_by_ref created modified name description indicator_types pattern pattern_type pattern_version valid_from confidence labels'.split(
      ' ',
    ),
  'observed-data': 'created_by_ref created modified first_observed last_observed number_observed object_refs'.split(
    ' ',
  ),
  relationship: ['created_by_ref', 'created', 'modified', 'relationship_type', 'source_ref', 'target_ref'],
  url: ['value'],
  'domain-name': ['value'],
  'ipv4-addr': ['value'],
  'ipv6-addr': ['value'],
};

const ID = /^[a-z][a-z0-9-]+--[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
/** RFC 3986: what may stand in a URI, and a percent sign only before two digits. */
const URI = /^https?:\/\/(?:[\w\-.~!$&'()*+,;=:@/?[\]]|%[\da-fA-F]{2})+$/;
const WITHIN_URI_PATH = /^https?:\/\/[^/?]+[^[\]]*$/;

test('each object has the required members of its type, and no others', () => {
  expect(Object.keys(MEMBERS).filter((type) => ofType(objects, type).length === 0)).toEqual([]);
  for (const object of objects) {
    const type = String(object['type']);
    const { description: _, ...rest } = object;
    const must = (MEMBERS[type] ?? []).filter((name) => name !== 'description');
    expect(Object.keys(rest).toSorted()).toEqual(['type', 'spec_version', 'id', ...must].toSorted());
    expect(object['spec_version']).toBe('2.1');
    expect(object['id']).toMatch(ID);
    expect(object['id']).toStartWith(`${type}--`);
    for (const name of ['created', 'modified', 'valid_from', 'first_observed', 'last_observed']) {
      if (name in object) expect(object[name]).toMatch(INSTANT);
    }
  }
  for (const { confidence } of ofType(objects, 'indicator')) {
    expect(confidence === Math.round(Number(confidence)) && Number(confidence) >= 0 && Number(confidence) <= 100).toBe(
      true,
    );
  }
  for (const { value } of ofType(objects, 'url')) {
    expect(value).toMatch(URI);
    expect(value).toMatch(WITHIN_URI_PATH);
  }
});

test('each id is unique, and each referenced id exists', () => {
  const ids = objects.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const named = objects.flatMap((object) =>
    ['created_by_ref', 'source_ref', 'target_ref', 'object_refs'].flatMap((name) => object[name] ?? []),
  );
  expect(named.filter((id) => !ids.includes(id))).toEqual([]);
});

test('excludes allowed checks, and has each URL once with its latest check', async () => {
  const urls = ofType(objects, 'url').map(({ value }) => value);
  expect(urls.filter((url) => /allowed/.test(String(url)))).toEqual([]);
  const twice = (['warn', 'block'] as const).map((decision, index) =>
    entryOf({ atMs: Date.UTC(2026, 0, 2 - index), result: { decision, malicious_probability: 0.5 + index / 4 } }),
  );
  const [indicator, ...others] = ofType(await objectsOf(twice), 'indicator');
  expect(others).toEqual([]);
  expect(indicator).toMatchObject({
    valid_from: '2026-01-02T00:00:00.000Z',
    confidence: 50,
    labels: ['phishing', 'warn'],
  });
});

test('two exports with the same check have equal objects for it', async () => {
  const some = await objectsOf(SUSPICIOUS.slice(2, 5), { ...SUBJECT, selection: 'some' });
  const byId = new Map(objects.map((object) => [object['id'], object]));
  expect(some.length).toBeGreaterThan(10);
  for (const object of some) expect(byId.get(object['id'])).toEqual(object);
  expect(await textOf(writeStix(reading(ALL), SUBJECT))).toBe(await textOf(writeStix(reading(ALL), SUBJECT)));
});

test('indicators have STIX 2.1 patterns', () => {
  const indicators = ofType(objects, 'indicator');
  expect(indicators.length).toBeGreaterThan(5);
  for (const indicator of indicators) expect(indicator).toMatchObject({ pattern_type: 'stix', pattern_version: '2.1' });
});

test('the description of an indicator is its strongest reason for phishing, and omits reasons against it', async () => {
  const reason = (message: string, weight: number) => {
    return { component: 'url' as const, code: 'url.suffix', message, args: {}, weight };
  };
  const described = async (reasons: ReturnType<typeof reason>[]) => {
    const [indicator] = ofType(
      await objectsOf([entryOf({ result: { decision: 'block' }, details: { reasons } })]),
      'indicator',
    );
    return indicator?.['description'];
  };
  expect(await described([reason('little', 0.5), reason('most', 3), reason('against', -4), reason('some', 1)])).toBe(
    'most',
  );
  expect(await described([reason('against', -4)])).toBeUndefined();
});

test('writes a URL by RFC 3986: keeps escapes in either case, and escapes a bare percent sign', async () => {
  const urlOf = async (url: string) =>
    ofType(
      await objectsOf([entryOf({ url, result: { decision: 'block' }, details: { normalized_url: url } })]),
      'url',
    )[0]?.['value'];
  expect(await urlOf('http://a.example/%2F%2f%C3%bc')).toBe('http://a.example/%2F%2f%C3%bc');
  expect(await urlOf('http://a.example/100%?x=%zz%2')).toBe('http://a.example/100%25?x=%25zz%252');
  expect(await urlOf('http://a.example/a|b')).toBe('http://a.example/a%7Cb');
});

test('the id of an observable is the UUIDv5 of its value as canonical JSON, as STIX requires', async () => {
  const [address] = ofType(
    await objectsOf([entryOf({ url: 'http://198.51.100.3/x', result: { decision: 'block' } })]),
    'ipv4-addr',
  );
  // As Python's uuid.uuid5 makes it of {"value":"198.51.100.3"}.
  expect(address?.['id']).toBe('ipv4-addr--28bb3599-77cd-5a82-a950-b5bc3caf07c4');
});

/** Reads a pattern back: comparisons of one property with one string each (STIX 2.1, 9.8). */
function readPattern(pattern: string): [property: string, operator: string, text: string][] {
  const grammar = /^\[([a-z\d-]+:value) (=|MATCHES) '((?:[^'\\]|\\['\\])*)'\]$/;
  return pattern.split(' OR ').map((part) => {
    const [, property = '', operator = '', text = ''] = grammar.exec(part) ?? [];
    expect([part, property]).not.toEqual([part, '']);
    return [property, operator, text.replace(/\\(.)/g, '$1')];
  });
}

test.each([
  ["http://a.example/it's", [['url:value', '=', "http://a.example/it's"]]],
  [
    'http://a.example',
    [
      ['url:value', '=', 'http://a.example/'],
      ['domain-name:value', '=', 'a.example'],
    ],
  ],
  [
    'http://[2001:db8::1]/',
    [
      ['url:value', '=', 'http://[2001:db8::1]/'],
      ['ipv6-addr:value', '=', '2001:db8::1'],
    ],
  ],
  ['http://a.example:8080/', [['url:value', '=', 'http://a.example:8080/']]],
  ['http://a.example/?a', [['url:value', '=', 'http://a.example/?a']]],
])('the pattern of %s has the expected comparisons', async (url, means) => {
  const [indicator] = ofType(await objectsOf([entryOf({ url, result: { decision: 'block' } })]), 'indicator');
  expect(readPattern(String(indicator?.['pattern']))).toEqual(means as [string, string, string][]);
});

test('a masked URL results in a pattern of its unmasked parts, and no URL object', async () => {
  const url = 'https://masked.example/reset(1)?token=8f14e45fceea167a5a36dedd4bea2543&next=a.b';
  const found = await objectsOf([entryOf({ url, result: { decision: 'block' } })]);
  const [indicator] = ofType(found, 'indicator');
  const [[property, operator, expression] = ['', '', '']] = readPattern(String(indicator?.['pattern']));
  expect([property, operator]).toEqual(['url:value', 'MATCHES']);
  expect(new RegExp(expression).test(url)).toBe(true);
  expect(new RegExp(expression).test(url.replace('a.b', 'aXb'))).toBe(false);
  expect(ofType(found, 'url')).toEqual([]);
  expect(ofType(found, 'observed-data')).toMatchObject([{ object_refs: [ofType(found, 'domain-name')[0]?.['id']] }]);
});

test('objects of private checks are marked TLP:RED', async () => {
  const [identity, ...rest] = await objectsOf(ALL, { ...SUBJECT, visibility: 'private' });
  expect(identity?.['object_marking_refs']).toBeUndefined();
  // TLP:RED as STIX 2.1 itself defines it.
  const marks = new Set(rest.map((object) => String(object['object_marking_refs'])));
  expect([...marks]).toEqual(['marking-definition--5e57c739-391a-4eb3-b6be-7d15ca92d5ed']);
});

test('a bundle without warned or blocked checks contains only its identity', async () => {
  expect((await objectsOf([])).map(({ type }) => type)).toEqual(['identity']);
});

test('blocked is malicious activity, warned is anomalous activity, with rounded confidence and a basis', async () => {
  const checked = (decision: 'block' | 'warn', malicious_probability: number) =>
    objectsOf([entryOf({ url: 'http://a.example/x', result: { decision, malicious_probability } })]);
  const blocked = await checked('block', 0.987);
  expect(ofType(blocked, 'indicator')).toMatchObject([
    { name: 'Phishing link', indicator_types: ['malicious-activity'], confidence: 99, labels: ['phishing', 'block'] },
  ]);
  expect(ofType(blocked, 'relationship')).toMatchObject([{ relationship_type: 'based-on' }]);
  expect(ofType(blocked, 'observed-data')).toMatchObject([{ number_observed: 1 }]);
  expect(ofType(blocked, 'identity')).toMatchObject([{ name: 'box "1"', identity_class: 'system' }]);
  expect(ofType(await checked('warn', 0.5), 'indicator')).toMatchObject([
    { name: 'Link that may be phishing', indicator_types: ['anomalous-activity'], labels: ['phishing', 'warn'] },
  ]);
});

test('ids are the same in every version', async () => {
  const result = { decision: 'block', request_id: '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b' } as const;
  const bundle = JSON.parse(
    await textOf(writeStix(reading([entryOf({ url: 'http://a.example/x', result })]), SUBJECT)),
  );
  expect([bundle.id, ...bundle.objects.map(({ id }: { id: string }) => id)]).toEqual([
    'bundle--c850c841-17f0-5099-8bbf-8a6912ac2104',
    'identity--4e372035-d0fb-5a75-9c01-55733386478a',
    'url--39a948d4-0b09-5f49-8b2a-392d7c17e294',
    'domain-name--064f846b-2bd3-5015-8d6f-d260dbda99c1',
    'indicator--066c7690-4afd-5a61-93dc-3bef9fbcb081',
    'observed-data--014611a8-4b4d-5cc7-95e3-4e95af7c6dc8',
    'relationship--50bac057-0620-5324-9025-589f869ca1f6',
  ]);
});

test('a URL with a user name results in a domain name of its host', async () => {
  const found = await objectsOf([
    entryOf({ url: 'http://user@a.example/x', result: { decision: 'block' } }),
    entryOf({ url: 'http://no.example:1', result: { decision: 'block' } }),
  ]);
  expect(ofType(found, 'domain-name').map(({ value }) => value)).toEqual(['a.example', 'no.example']);
});
