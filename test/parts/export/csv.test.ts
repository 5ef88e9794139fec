import { expect, test } from 'bun:test';
import { writeCsv } from '#src/parts/export/csv.ts';
import { entryOf, reading, textOf, unreadEntryOf } from './entries.ts';

/** Reads what RFC 4180 describes, and nothing else. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let rest = text;
  let row: string[] = [];
  while (rest !== '') {
    const [cell, quoted, bare = '', end] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest) ?? [];
    if (cell === undefined) throw new Error(`not RFC 4180: ${JSON.stringify(rest.slice(0, 40))}`);
    row.push(quoted?.replaceAll('""', '"') ?? bare);
    rest = rest.slice(cell.length);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

const HEADER =
  'timestamp,url,decision,malicious_probability,request_id,normalized_url,host,top_reason,brand,final_url,status_code,model_version,delivered,unreadable,coverage,caution,via,decided_by_list,decided_by_entry,decided_by_source';

test('has a fixed header and one row per check', async () => {
  const sample = {
    url: 'https://www.example.com/a?b=1',
    result: { request_id: '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b', decision: 'warn', malicious_probability: 0.5 },
    details: {
      ...{ final_url: 'https://www.example.com/c', status_code: 404, via: 'gate' as const },
      decided_by: { list: 'feed', entry: 'example.com', source: 'operator' },
    },
  } as const;
  expect(await textOf(writeCsv(reading([entryOf(sample)])))).toBe(
    `${HEADER}\r\n2026-01-31T12:00:00.000Z,https://www.example.com/a?b=1,warn,0.5,019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b,https://www.example.com/a?b=1,www.example.com,url.suffix,,https://www.example.com/c,404,test,true,,url_only,false,gate,feed,example.com,operator\r\n`,
  );
  expect(await textOf(writeCsv(reading([])))).toBe(`${HEADER}\r\n`);
});

test('an unknown value is an empty cell', async () => {
  const [, first, second] = readCsv(
    await textOf(writeCsv(reading([unreadEntryOf({ url: 'http://a.example/' }), entryOf({}, false)]))),
  );
  expect(first?.slice(1, 4)).toEqual(['http://a.example/', 'allow', '0.02']);
  expect(first?.slice(5)).toEqual(['', '', '', '', '', '', '', 'true', 'it is cut short', ...Array(6).fill('')]);
  expect(second?.slice(12)).toEqual(['false', '', 'url_only', 'false', 'api', '', '', '']);
});

const HOSTILE = [
  '=cmd|"/c calc"!A1',
  '+1+1',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '\r\n=1',
  '\uff1d1+1',
  'a,b"c"\r\nd\ne\u2028f\u202eg\0',
  '"',
  '',
];

test('untrusted text stays in its cell, and is never a formula', async () => {
  const entries = HOSTILE.map((text) => entryOf({ details: { brand: { name: text, confidence: 1, domains: [] } } }));
  const text = await textOf(writeCsv(reading(entries)));
  const rows = readCsv(text);
  expect(rows.map(({ length }) => length)).toEqual(Array(HOSTILE.length + 1).fill(HEADER.split(',').length));
  const cells = rows.slice(1).map((row) => row[8]);
  expect(cells.filter((cell) => /^[=+\-@\s\uff0b\uff0d\uff1d\uff20]/.test(cell ?? '='))).toEqual([]);
  expect(cells[0]).toBe('\\x3dcmd|"/c calc"!A1');
  expect(cells[7]).toBe('a,b"c"\\x0d\\x0ad\\x0ae\\u{2028}f\\u{202e}g\\x00');
});
