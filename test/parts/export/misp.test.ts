import { expect, test } from 'bun:test';
import type { LogEntry } from '#src/checks/store/scan-log.ts';
import type { ExportSubject } from '#src/parts/export/export-subject.ts';
import { writeMisp } from '#src/parts/export/misp.ts';
import { entryOf, reading, textOf } from './entries.ts';
import { REST, SUSPICIOUS } from './suspicious.ts';

const SUBJECT: ExportSubject = { visibility: 'public', source: 'box "1"', selection: 'all' };

async function eventOf(entries: readonly LogEntry[], subject = SUBJECT) {
  const document = JSON.parse(await textOf(writeMisp(reading(entries), subject)));
  expect(Object.keys(document)).toEqual(['Event']);
  const { Attribute: attributes, ...event } = document.Event;
  return { event, attributes };
}

/** MISP's schema takes numbers and moments as text, and only members that it knows: these are of them. */
const EVENT_MEMBERS = 'uuid info date timestamp threat_level_id analysis distribution published Orgc Tag'.split(' ');
const ATTRIBUTE_MEMBERS = 'uuid type category value to_ids comment timestamp first_seen last_seen distribution'.split(
  ' ',
);
const UUID = /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

test('an event has the members and types of MISP, for the public and the private log', async () => {
  for (const visibility of ['public', 'private'] as const) {
    const { event, attributes } = await eventOf([...SUSPICIOUS, ...REST], { ...SUBJECT, visibility });
    expect(Object.keys(event).filter((name) => !EVENT_MEMBERS.includes(name))).toEqual([]);
    expect(event).toMatchObject({
      uuid: expect.stringMatching(UUID),
      date: '2026-01-31',
      timestamp: String(Date.UTC(2026, 0, 31, 12, 30) / 1000),
      published: false,
      distribution: '0',
      analysis: '0',
      threat_level_id: '4',
      Orgc: { uuid: expect.stringMatching(UUID), name: 'box "1"' },
    });
    expect(event.Tag).toEqual(visibility === 'private' ? [{ name: 'tlp:red' }] : undefined);
    const uuids = attributes.map(({ uuid }: { uuid: string }) => uuid);
    expect(new Set(uuids).size).toBe(uuids.length);
    for (const attribute of attributes) {
      expect(Object.keys(attribute)).toEqual(ATTRIBUTE_MEMBERS);
      const { to_ids, ...texts } = attribute;
      expect(Object.values(texts).filter((text) => typeof text !== 'string')).toEqual([]);
      expect(typeof to_ids).toBe('boolean');
      expect(attribute).toMatchObject({
        uuid: expect.stringMatching(UUID),
        category: 'Network activity',
        distribution: '5',
        // What MISP has in that category.
        type: expect.stringMatching(/^(?:url|hostname|ip-dst)$/),
        first_seen: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}\+00:00$/),
        comment: expect.not.stringMatching(/[\n\u202e]/),
      });
    }
  }
});

test('marks blocked URLs for detection, but not warned or masked URLs', async () => {
  const urls = [
    'http://a.example/',
    'http://a.example/warned',
    'http://a.example/?token=8f14e45fceea167a5a36dedd4bea2543',
  ];
  const { attributes } = await eventOf(
    urls.map((url) => entryOf({ url, result: { decision: url.endsWith('warned') ? 'warn' : 'block' } })),
  );
  expect(attributes).toMatchObject([
    { type: 'url', value: 'http://a.example/', to_ids: true, comment: 'block, probability 0.020.' },
    { type: 'hostname', value: 'a.example', to_ids: true },
    { type: 'url', value: 'http://a.example/warned', to_ids: false, comment: expect.stringMatching(/^warn/) },
    { type: 'url', value: 'http://a.example/?token=***', to_ids: false },
  ]);
});

test('the same selection results in the same event, to which later checks are added', async () => {
  const before = await eventOf(SUSPICIOUS.slice(2));
  const after = await eventOf(SUSPICIOUS);
  expect(after.event.uuid).toBe(before.event.uuid);
  expect(after.attributes).toEqual(expect.arrayContaining(before.attributes));
  expect((await eventOf(SUSPICIOUS, { ...SUBJECT, selection: 'other' })).event.uuid).not.toBe(before.event.uuid);
  expect(await eventOf([])).toMatchObject({ event: { date: '1970-01-01' }, attributes: [] });
});

test('a front page on an IP address contains the address, and ids are the same in every version', async () => {
  const result = { decision: 'block', request_id: '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b' } as const;
  const { event, attributes } = await eventOf([entryOf({ url: 'http://192.0.2.7', result })]);
  expect([event.uuid, event.Orgc.uuid]).toEqual([
    '4583990e-bb1d-57ec-a28e-3e57430fd467',
    '4e372035-d0fb-5a75-9c01-55733386478a',
  ]);
  expect(attributes.map(({ type, value, uuid }: Record<string, string>) => [type, value, uuid])).toEqual([
    ['url', 'http://192.0.2.7/', '95b48f04-f5b0-5d0a-8425-f9ffc43a97f8'],
    ['ip-dst', '192.0.2.7', 'ce588db1-7c8b-5798-8bf8-0c5a37e3fb91'],
  ]);
});
