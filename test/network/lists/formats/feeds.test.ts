import { describe, expect, test } from 'bun:test';
import { isBadLine, isSkippedLine } from '#src/network/lists/formats/list-format.ts';
import { readListFile } from '#src/network/lists/formats/read-list-file.ts';
import { readStoredEntry, writeStoredEntry } from '#src/network/lists/stored/stored-entry.ts';

async function* chunksOf(text: string) {
  for (let at = 0; at < text.length; at += 50) yield Buffer.from(text.slice(at, at + 50));
}

/** The format in which a file is read, its entries as they are stored, and its lines that are left out or broken. */
async function read(text: string) {
  const file = readListFile(chunksOf(text));
  const items = (await Array.fromAsync(file)).flat();
  const entries = items.flatMap((item) => {
    if (isBadLine(item)) return [];
    const entry = readStoredEntry(item.value);
    return 'problem' in entry ? [`broken: ${item.value}`] : [writeStoredEntry(entry)];
  });
  const bad = items.filter(isBadLine);
  return {
    as: file.format()?.name,
    entries,
    ...(bad.length > 0 && { out: bad.map(({ line, message }) => `${line}: ${message}`) }),
    ...(bad.some((item) => !isSkippedLine(item)) && { broken: bad.filter((item) => !isSkippedLine(item)).length }),
  };
}

const HASH = 'd41d8cd98f00b204e9800998ecf8427e';

describe('a feed of abuse.ch', () => {
  test('is read from ThreatFox as CSV with a header in a comment, quoted, with spaces', async () => {
    const text = `####\n# abuse.ch ThreatFox IOCs: recent #\n####\n#\n# "first_seen_utc","ioc_id","ioc_value","ioc_type","threat_type","reference"
"2026-11-20 15:07:33", "1700001", "one.example", "domain", "botnet_cc", ""
"2026-11-20 15:07:34", "1700002", "1.2.3.4:8080", "ip:port", "botnet_cc", ""
"2026-11-20 15:07:35", "1700003", "https://two.example/api", "url", "botnet_cc", "https://ref.example/x"
"2026-11-20 15:07:36", "1700004", "${HASH}", "md5_hash", "payload", ""\n`;
    expect(await read(text)).toEqual({
      as: 'csv',
      entries: ['one.example', '1.2.3.4', 'http://two.example/api'],
      out: [`9: "${HASH}" is a hash`],
    });
  });

  test('is read from ThreatFox as JSON, exported or from the API', async () => {
    const exported = {
      1700001: [
        { ioc_value: 'one.example', ioc_type: 'domain', malware_alias: null, reference: 'https://ref.example/' },
      ],
      1700002: [{ ioc_value: '1.2.3.4:80', ioc_type: 'ip:port' }],
    };
    expect(await read(JSON.stringify(exported))).toEqual({ as: 'json', entries: ['one.example', '1.2.3.4'] });
    const api = { query_status: 'ok', data: [{ id: '1', ioc: 'one.example', ioc_type: 'domain', tags: ['a'] }] };
    expect(await read(JSON.stringify(api, null, 2))).toEqual({ as: 'json', entries: ['one.example'] });
  });

  test('is read from URLhaus by country, with and without a header', async () => {
    const row = (host: string) =>
      `"2026-04-03 13:11:03","http://${host}/b","offline","malware_download","${host}","198.51.100.2","35592","CZ"\n`;
    const header = '####\n# Dateadded (UTC),URL,URL_status,Threat,Host,IPaddress,ASnumber,Country\n';
    const entries = ['http://one.example/b', 'http://two.example/b'];
    expect(await read(`${header}${row('one.example')}${row('two.example')}`)).toEqual({ as: 'csv', entries });
    expect(await read(`${row('one.example')}${row('two.example')}`)).toEqual({ as: 'csv', entries });
  });

  test('is read from URLhaus as JSON, exported or from the API', async () => {
    const exported = {
      38: [{ dateadded: '2026', url: 'http://one.example/m', tags: ['elf'], urlhaus_link: 'https://u/' }],
    };
    expect(await read(JSON.stringify(exported))).toEqual({ as: 'json', entries: ['http://one.example/m'] });
    const url = { id: '1', url: 'http://one.example/m', host: 'one.example', blacklists: { surbl: 'not listed' } };
    expect(await read(JSON.stringify({ query_status: 'ok', urls: [url] }))).toEqual({
      as: 'json',
      entries: ['http://one.example/m'],
    });
  });

  test('is read from Feodo Tracker as CSV and JSON: the address, not the name that its network gave it', async () => {
    const csv =
      '# comment\n"first_seen_utc","dst_ip","dst_port","malware"\n"2026-01-01 00:00:00","1.2.3.4","443","X"\n';
    expect(await read(csv)).toEqual({ as: 'csv', entries: ['1.2.3.4'] });
    const json = [{ ip_address: '1.2.3.4', port: 443, hostname: 'vps.provider.example', malware: 'X' }];
    expect(await read(JSON.stringify(json, null, 4))).toEqual({ as: 'json', entries: ['1.2.3.4'] });
  });
});

describe('a feed', () => {
  test('is read from PhishTank as JSON, without the addresses in its details', async () => {
    const feed = [
      { phish_id: 8, url: 'http://one.example/login', details: [{ ip_address: '1.2.3.4', cidr_block: '1.2.3.0/24' }] },
      { details: [{ ip_address: '1.2.3.5' }], url: 'http://two.example/' },
    ];
    expect(await read(JSON.stringify(feed))).toEqual({
      as: 'json',
      entries: ['http://one.example/login', 'http://two.example/'],
    });
  });

  test('is read from Spamhaus DROP as text and as JSON lines, without the networks by number', async () => {
    const text = '; Spamhaus DROP List 2026/11/20\n; Last-Modified: x\n1.2.3.0/24 ; SBL1\n1.2.5.0/24 ; SBL2\n';
    expect(await read(text)).toEqual({ as: 'plain', entries: ['1.2.3.0/24', '1.2.5.0/24'] });
    const lines = '{"cidr":"1.2.3.0/24","sblid":"SBL1","rir":"apnic"}\n{"type":"metadata","timestamp":1,"records":1}\n';
    expect(await read(lines)).toEqual({ as: 'ndjson', entries: ['1.2.3.0/24'] });
    const numbers = '{"asn":1,"domain":"provider.example","cc":"XX","asname":"X"}\n{"type":"metadata"}\n';
    expect(await read(numbers)).toMatchObject({ entries: [], out: [expect.stringContaining('is of a network')] });
  });

  test('is read from pulses of AlienVault OTX, as an export or as an answer, and as CSV', async () => {
    const indicators = [
      { indicator: 'one.example', type: 'hostname' },
      { indicator: 'http://two.example/x', type: 'URL' },
      { indicator: HASH, type: 'FileHash-MD5' },
      { indicator: 'a@three.example', type: 'email' },
      { indicator: '/only/a/path', type: 'URI' },
      { indicator: '1.2.3.0/24', type: 'CIDR' },
    ];
    const entries = ['one.example', 'http://two.example/x', '1.2.3.0/24'];
    expect(await read(JSON.stringify({ indicators, count: 6 }))).toMatchObject({ as: 'json', entries });
    const answer = { count: 1, results: [{ name: 'p', references: ['https://blog.example/'], indicators }] };
    expect(await read(JSON.stringify(answer))).toMatchObject({ as: 'json', entries });
    const csv = `Indicator type,Indicator,Description\nURL,http://two.example/x,\nFileHash-MD5,${HASH},\n`;
    expect(await read(csv)).toEqual({ as: 'csv', entries: ['http://two.example/x'], out: [`3: "${HASH}" is a hash`] });
  });

  test('is read from events and attributes of MISP', async () => {
    const Attribute = [
      { type: 'url', value: 'http://one.example/x', to_ids: true, Tag: [{ name: 'tlp:clear' }] },
      { type: 'domain|ip', value: 'two.example|1.2.3.4', to_ids: true },
      { type: 'ip-dst|port', value: '1.2.3.4|80' },
      { type: 'filename|md5', value: `invoice.zip|${HASH}` },
      { type: 'link', value: 'https://report.example/' },
      { type: 'url', value: 'https://seen.example/', to_ids: false },
      { type: 'domain', value: 'old.example', deleted: true },
      { type: 'text', value: 'word' },
    ];
    const objects = [
      { name: 'url', description: 'of a page', Attribute: [{ type: 'url', value: 'http://three.example/' }] },
    ];
    const entries = ['http://one.example/x', 'two.example', '1.2.3.4'];
    const more = [...entries, 'http://three.example/'];
    expect(await read(JSON.stringify({ Event: { info: 'x', Attribute, Object: objects } }))).toMatchObject({
      entries: more,
    });
    expect(await read(JSON.stringify({ response: [{ Event: { Attribute, Object: objects } }] }))).toMatchObject({
      entries: more,
    });
    expect(await read(JSON.stringify([{ Event: { Object: objects, Attribute } }]))).toMatchObject({
      entries: ['http://three.example/', ...entries],
    });
    expect(await read(JSON.stringify({ response: { Attribute } }))).toMatchObject({ as: 'json', entries });
    const csv = `uuid,type,value,comment,to_ids\n"a","domain","one.example","c",1\n"b","md5","${HASH}","",1\n"c","url","http://x.example/",,0\n`;
    expect(await read(csv)).toMatchObject({ as: 'csv', entries: ['one.example'], out: { length: 2 } });
  });

  test('is read from an array of texts, alone or beside another one of what is allowed', async () => {
    expect(await read('[\n "one.example",\n "https://two.example/x"\n]')).toEqual({
      as: 'json',
      entries: ['one.example', 'http://two.example/x'],
    });
    const both = { version: 2, whitelist: ['good.example'], fuzzylist: ['f.example'], blacklist: ['one.example'] };
    expect(await read(JSON.stringify(both))).toEqual({ as: 'json', entries: ['one.example'] });
  });
});

describe('a list of lines', () => {
  test.each([
    ['a lone address', '127.0.0.1 localhost\n0.0.0.0 one.example\n0.0.0.0\n0.0.0.0  #[server down]\n', 'has no name'],
    ['a title', 'My list of hosts\n0.0.0.0 one.example\n', 'begins with no address'],
  ])('of hosts may have %s, which is left out', async (_, text, why) => {
    expect(await read(text)).toMatchObject({
      as: 'hosts',
      entries: ['http://one.example/'],
      out: [expect.stringContaining(why), ...(why === 'has no name' ? [expect.any(String)] : [])],
    });
  });

  test.each([
    [
      'a host alone',
      '0.0.0.0 one.example\n0.0.0.0 two.example\nthree.example\n',
      ['http://one.example/', 'http://two.example/', 'three.example'],
    ],
    ['`0` for an address', '0 one.example\n0 two.example\n', ['http://one.example/', 'http://two.example/']],
    [
      'comments of any kind',
      '! a\n; b\n// c\n0.0.0.0 one.example ; d\n0.0.0.0 two.example # e\n',
      ['http://one.example/', 'http://two.example/'],
    ],
    ['tags around it', '<pre>\n0.0.0.0 one.example\n</pre>\n', ['http://one.example/']],
    [
      'URLs and wildcards',
      '0.0.0.0 https://one.example/\n0.0.0.0 two.example/a\n0.0.0.0 *.three.example\n',
      ['http://one.example/', 'http://two.example/a', 'three.example'],
    ],
  ])('of hosts may have %s', async (_, text, entries) => {
    expect(await read(text)).toEqual({ as: 'hosts', entries });
  });

  test('of a filter list may have hosts alone and lines of a hosts file', async () => {
    const text = '||one.example^\n||two.example^\n# c\n! c\nthree.example\n*.four.example\n0.0.0.0 five.example\n';
    const entries = ['one.example', 'two.example', 'three.example', 'four.example', 'http://five.example/'];
    expect(await read(text)).toEqual({ as: 'adblock', entries });
    expect(await read('@@||ok.one.example^\none.example\ntwo.example\n')).toMatchObject({
      as: 'adblock',
      entries: ['ok.one.example', 'one.example', 'two.example'],
    });
    expect(await read('! only\na.example##.ad\nb.example#@#.ad\n')).toMatchObject({ as: 'adblock', entries: [] });
  });

  test('alone may have comments of any kind, a title, leading dots and stars, ports, paths and no newline', async () => {
    expect(await read('! Title: domains\n// c\n; c\none.example // c\ntwo.example ; c\nthree.example # c\n')).toEqual({
      as: 'plain',
      entries: ['one.example', 'two.example', 'three.example'],
    });
    expect(await read('domain\n.one.example\n*.two.example\n')).toEqual({
      as: 'plain',
      entries: ['one.example', 'two.example'],
    });
    expect(await read('one.example:8080\n1.2.3.4:443\n[2001:db8::1]:80\none.example/a?b=c\none.example/x*\n')).toEqual({
      as: 'plain',
      entries: [
        'http://one.example:8080/',
        '1.2.3.4',
        '2001:db8::1',
        'http://one.example/a?b=c',
        'http://one.example/x*',
      ],
    });
    expect(await read('one.example\rtwo.example\rthree.example')).toEqual({
      as: 'plain',
      entries: ['one.example', 'two.example', 'three.example'],
    });
    expect(await read(`one.example\n${HASH}\n`)).toMatchObject({
      entries: ['one.example'],
      out: [`2: "${HASH}" is a hash`],
    });
  });

  test('of unbound blocks zones and names that lead nowhere', async () => {
    const text = `server:
    local-zone: "one.example" always_nxdomain
    local-zone: "two.example." static # c
    local-zone: three.example redirect
    local-data: "three.example A 0.0.0.0"
    local-zone: 'four.example' redirect
    local-data: "four.example A 192.168.0.2"
    local-zone: "five.example" redirect
    local-zone: "six.example" transparent
    local-data: "seven.example. 60 IN AAAA ::"
    interface: 0.0.0.0
    local-zone: "eight.example" redirect\n`;
    expect(await read(text)).toMatchObject({
      as: 'unbound',
      entries: ['one.example', 'two.example', 'three.example', 'five.example', 'seven.example', 'eight.example'],
      out: [expect.stringMatching(/^7: .*192/), expect.stringMatching(/^9: /), expect.stringMatching(/^11: /)],
    });
  });

  test('is read in the format of most of its lines, even if some lines are of others', async () => {
    const hosts = Array.from({ length: 150 }, (_, n) => `0.0.0.0 h${n}.example`);
    const text = ['0.0.0.0', 'one.example', '||two.example^', 'address=/three.example/', ...hosts].join('\n');
    expect(await read(text)).toMatchObject({ as: 'adblock', entries: { length: 152 } });
    const domains = Array.from({ length: 150 }, (_, n) => `h${n}.example`);
    expect(await read(['address=/x.example/', 'y.example CNAME .', ...domains].join('\n'))).toMatchObject({
      as: 'plain',
    });
  });
});

describe('a file that is no list', () => {
  test.each([
    ['<!DOCTYPE html><html><head>', 'is an HTML page: download the list itself'],
    ['\n\n<html lang="en">', 'is an HTML page'],
    ['<?xml version="1.0"?><rss>', 'is XML'],
    ['%PDF-1.7\n', 'is a PDF document'],
    [
      'name;age;city\na;1;x\nb;2;y\n',
      'is CSV without a known column for a URL, host or address, such as url or domain; its columns are "name", "age", "city"',
    ],
    ['{"error": "unauthorized", "status": 401}', 'its members are "error", "status"'],
    ['[]', 'is JSON without a known member'],
  ])('such as %p is refused by what it is', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });
});
