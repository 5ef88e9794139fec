import { expect, test } from 'bun:test';
import { isBadLine, isSkippedLine } from '#src/network/lists/formats/list-format.ts';
import { readListFile } from '#src/network/lists/formats/read-list-file.ts';
import { readStoredEntry, writeStoredEntry } from '#src/network/lists/stored/stored-entry.ts';

async function read(text: string, format: string | null = null) {
  async function* bytes() {
    yield new TextEncoder().encode(text);
  }
  const items = (await Array.fromAsync(readListFile(bytes(), format))).flat();
  return {
    invalid: items.flatMap((item) => (isBadLine(item) && !isSkippedLine(item) ? [item.line] : [])),
    entries: items.flatMap((item) => (isBadLine(item) ? [] : [`${item.isException ? '@@' : ''}${item.value}`])),
    others: items.flatMap((item) => (isBadLine(item) ? [item.line] : [])),
  };
}

test('reads a dnsmasq list, and skips names that map to a real address', async () => {
  const text =
    '# a list\naddress=/evil.example/\naddress=/a.example/b.example/0.0.0.0\naddress=/c.example/#\nlocal=/d.example/\nserver=/e.example/\naddress=/::1.example/::\naddress=/nas.example/192.168.0.2\nserver=/corp.example/10.0.0.1\ncache-size=1000\n';
  expect(await read(text)).toMatchObject({
    entries: ['evil.example', 'a.example', 'b.example', 'c.example', 'd.example', 'e.example', '::1.example'],
    others: [8, 9, 10],
  });
});

test('reports lines that are not dnsmasq settings, as in a file with several lists', async () => {
  const { invalid } = await read(
    'address=/a.example/\nevil.example\nhttp://evil.example/\n*.evil.example\nbogus-priv\n',
    'dnsmasq',
  );
  expect(invalid).toEqual([2, 3, 4]);
});

test('reads a response policy zone with wildcards and passthru exceptions', async () => {
  const text =
    '$TTL 300\n@ IN SOA localhost. root.localhost. (\n 1 ; serial\n 2 3 4 5 )\n  IN NS localhost.\nevil.example CNAME .\n*.evil.example CNAME .\ngood.evil.example 60 IN CNAME rpz-passthru.\ndrop.example CNAME rpz-drop.\n24.0.2.0.192.rpz-ip CNAME .\nmoved.example CNAME wall.example.\nwww.example A 10.0.0.1\n';
  expect(await read(text)).toMatchObject({
    entries: ['evil.example', 'evil.example', '@@good.evil.example', 'drop.example'],
    others: [10, 11, 12],
  });
});

test('removes the zone name from fully qualified names', async () => {
  const text =
    'rpz.example. IN SOA a. b. 1 2 3 4 5\nevil.example.rpz.example. CNAME .\n$ORIGIN other.example.\nbad.example.other.example. CNAME .\n';
  expect((await read(text)).entries).toEqual(['evil.example', 'bad.example']);
});

test('reads a leading wildcard as the host with its subdomains, and refuses any other wildcard', () => {
  const written = (text: string) => {
    const entry = readStoredEntry(text);
    return 'problem' in entry ? 'no entry' : writeStoredEntry(entry);
  };
  expect(['*.Evil.example', '*.a.b.example'].map(written)).toEqual(['evil.example', 'a.b.example']);
  expect(['*', '*.', '*.*.example', '*evil.example', 'a.*.example', '*.example/path'].map(written)).toEqual(
    Array(6).fill('no entry'),
  );
});
