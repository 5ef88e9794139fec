import { describe, expect, test } from 'bun:test';
import { isBadLine } from '#src/network/lists/formats/list-format.ts';
import { machineSlowness } from '#test/support/cpu-time.ts';
import { createRandom } from '#test/support/random.ts';
import { entriesOf, readList, told, unread } from './read-list.ts';

const PHISHTANK = `phish_id,url,phish_detail_url,submission_time,verified,verification_time,online,target
8842733,https://allegrolokalnie.example/oferta?id=1,http://www.phishtank.com/phish_detail.php?phish_id=8842733,2026-11-20T10:31:15+00:00,yes,2026-11-20T10:42:06+00:00,yes,Other
8842730,"https://docs.example/a,b?c=d;e='f'",http://www.phishtank.com/phish_detail.php?phish_id=8842730,2026-11-20T10:21:37+00:00,yes,2026-11-20T10:32:30+00:00,yes,"Allegro, Inc."
`;

const URLHAUS = `################################################################
# abuse.ch URLhaus Database Dump (CSV - recent URLs only)      #
# Last updated: 2026-11-21 06:06:09 (UTC)                      #
#                                                              #
# Terms Of Use: https://urlhaus.abuse.ch/api/                  #
################################################################
#
# id,dateadded,url,url_status,last_online,threat,tags,urlhaus_link,reporter
"3821497","2026-11-21 06:02:21","http://192.0.2.7:32794/Mozi.m","online","2026-11-21 06:02:21","malware_download","32-bit,elf,mips,Mozi","https://urlhaus.abuse.ch/url/3821497/","geenensp"
"3821496","2026-11-21 06:02:19","https://evil.example/a ""b"".exe","offline","","malware_download","","https://urlhaus.abuse.ch/url/3821496/","anonymous"
`.replaceAll('\n', '\r\n');

describe('the feed of', () => {
  test('PhishTank has each URL with its detail page and its target', async () => {
    expect(await readList(PHISHTANK)).toEqual([
      {
        value: 'https://allegrolokalnie.example/oferta?id=1',
        line: 2,
        expiresAtMs: null,
        source: 'http://www.phishtank.com/phish_detail.php?phish_id=8842733',
        comment: 'Other',
        isException: false,
      },
      {
        value: "https://docs.example/a,b?c=d;e='f'",
        line: 3,
        expiresAtMs: null,
        source: 'http://www.phishtank.com/phish_detail.php?phish_id=8842730',
        comment: 'Allegro, Inc.',
        isException: false,
      },
    ]);
  });

  test('URLhaus has its header in a comment, and all cells in quotes', async () => {
    const items = await readList(URLHAUS, 1000);
    expect(told(items)).toEqual([
      [9, 'http://192.0.2.7:32794/Mozi.m', 'malware_download, 32-bit,elf,mips,Mozi'],
      [10, 'https://evil.example/a%20%22b%22.exe', 'malware_download'],
    ]);
    expect(items).toMatchObject([{ source: 'https://urlhaus.abuse.ch/url/3821497/' }, {}]);
  });

  test('OpenPhish has one URL per line, or a table with a URL column', async () => {
    const feed = 'https://a.example/login\nhttps://b.example/x,y?z=1,2\n';
    expect(entriesOf(await readList(feed))).toEqual([
      [1, 'https://a.example/login'],
      [2, 'https://b.example/x,y?z=1,2'],
    ]);
    const table =
      'asn,brand,discover_time,host,ip,isotime,url\nAS1,Paypal Inc.,1,a.example,192.0.2.1,2,https://a.example/l\n';
    expect(told(await readList(table))).toEqual([[2, 'https://a.example/l', 'Paypal Inc.']]);
  });
});

test('skips feed URLs that no check accepts, and escapes characters that browsers escape', async () => {
  const rows = ['ftp://evil.example/', 'https://paypal.com@evil.example/', `https://a.example/${'x'.repeat(9000)}`];
  const items = await readList(
    `id,url\n${rows.map((url, id) => `${id},${url}`).join('\n')}\n9,"https://a.example/<b> c*"\n`,
  );
  expect(unread(items)).toEqual({ broken: [], leftOut: [2, 3, 4] });
  expect(entriesOf(items)).toEqual([[5, 'https://a.example/%3Cb%3E%20c%2A']]);
});

describe('a CSV table', () => {
  test.each([
    ['2027-12-31', '2028-01-01T00:00:00.000Z'],
    ['2027-12-31T12:00:00Z', '2027-12-31T12:00:00.000Z'],
    ['2027-12-31T12:00:00+02:00', '2027-12-31T10:00:00.000Z'],
    ['2027-12-31 12:00:00 UTC', '2027-12-31T12:00:00.000Z'],
    ['2027-12-31 12:00', '2027-12-31T12:00:00.000Z'],
    ['', null],
    ['never', null],
  ])('with the expiry %p expires at %p', async (text, at) => {
    const file = `value,expiration,comment\nevil.example,${text},why\n`;
    const [item] = await readList(file);
    expect(item).toMatchObject({
      value: 'evil.example',
      comment: 'why',
      expiresAtMs: at === null ? null : Date.parse(at),
    });
  });

  test.each(['soon', '31.12.2027', '2027-02-30', '1830297600', '2027-12-31T25:00:00Z'])(
    'with the expiry %p has a broken line',
    async (text) => {
      const items = await readList(`value,expiration,comment\nevil.example,${text},why\nb.example,,\n`);
      expect(unread(items)).toEqual({ broken: [2], leftOut: [] });
      expect(entriesOf(items)).toEqual([[3, 'b.example']]);
    },
  );

  test('may omit the header and trailing cells, and have other separators and columns', async () => {
    expect(told(await readList('a.example,2027-12-31,why\nb.example,,\nc.example\n'))).toEqual([
      [1, 'a.example', 'why'],
      [2, 'b.example', null],
      [3, 'c.example', null],
    ]);
    for (const separator of [';', '\t']) {
      const file = `Domain,Comment,Source\n"a.example","so, and so",us\n`.replaceAll(/,(?! )/g, separator);
      expect(await readList(file)).toMatchObject([
        { value: 'a.example', comment: 'so, and so', source: 'us', line: 2 },
      ]);
    }
  });

  test('may have line breaks within quotes, and reports the first line of each record', async () => {
    expect(told(await readList('value,expiration,comment\na.example,,"one\n\n# two"\nb.example,,x\n'))).toEqual([
      [2, 'a.example', 'one\n\n# two'],
      [5, 'b.example', 'x'],
    ]);
  });

  test('reports lines with unclosed quotes, without a value or with too many cells', async () => {
    const file = 'value,expiration,comment\na.example,,"open\nb.example,,\n';
    expect(told(await readList(file))).toEqual([[2, 'opens quotes that are never closed']]);
    expect(told(await readList('value,expiration,comment\n,,x\na,b,c,d\n"a"b,,\n'))).toEqual([
      [2, 'has no value'],
      [3, 'has 4 cells for 3 columns: a cell with "," must be quoted'],
      [4, 'has text after a quoted cell'],
    ]);
  });

  test('with unclosed quotes is read in linear time and bounded memory', async () => {
    const before = process.cpuUsage().user;
    const items = await readList(`value,expiration,comment\na,,"${'"",\n'.repeat(600_000)}`, 65_536);
    expect(items.every(isBadLine)).toBe(true);
    // A tenth of a microsecond a byte is ten times what it takes.
    expect((process.cpuUsage().user - before) / machineSlowness()).toBeLessThan(3_000_000);
  });

  test('is read back with the same cells, for any content', async () => {
    const random = createRandom(17);
    for (let i = 0; i < 300; i++) {
      const rows = Array.from({ length: 1 + random.below(4) }, (_, n) => [
        `${n}.example`,
        '',
        random.text(8, 'a",\n;#ü\t '),
      ]);
      const text = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n');
      const items = await readList(`value,expiration,comment\n${text}\n`, 1 + random.below(9));
      expect(items.map((item) => (isBadLine(item) ? item : [item.value, '', item.comment ?? '']))).toEqual(
        rows.map(([value = '', , comment = '']) => [value, '', comment.trim()]),
      );
    }
  });
});
