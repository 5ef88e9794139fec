import { expect, test } from 'bun:test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { lurecheck } from '#test/support/executable.ts';
import { createRandom } from '#test/support/random.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/** Entries of every kind, with all that a host or a URL may hold, and within one of them a name that is allowed. */
const ENTRIES = [
  'evil.example',
  'deep.under.evil.example',
  'xn--bcher-kva.example',
  'http://only.example/',
  "http://a$b!c'd;e.example/",
  'http://_x.example/',
  '45.9.20.1',
  '45.9.0.0/16',
  '2a00:1450::1',
  '2a00:1450:4001::/48',
  'https://shared.example/kit',
  "https://shared.example/it's(a|b)[c]{2}$&;,!~^x",
  'https://shared.example/kit?a=b#c&d=%20"e"'.replaceAll('"', '%22'),
  'https://shared.example/login-*',
  'https://shared.example:8443/x/',
  `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.example`,
  `${'d'.repeat(63)}.${'e'.repeat(63)}.${'f'.repeat(63)}.${'g'.repeat(40)}.example`,
  `https://long.example/${'x'.repeat(7000)}`,
];

async function exported(path: string, format: string, ...words: string[]): Promise<{ text: string; stderr: string }> {
  const flags = ['--data-dir', `${path}/data`, '--from', 'history', ...words];
  const { stdout, stderr, exitCode } = await lurecheck(['lists', 'export', '--format', format, ...flags]);
  expect({ exitCode, isWritten: stdout !== '' }).toEqual({ exitCode: 0, isWritten: true });
  return { text: stdout, stderr };
}

async function boxWith(path: string, entries: readonly string[]): Promise<void> {
  mkdirSync(`${path}/data`);
  writeFileSync(`${path}/feed.txt`, `${entries.join('\n')}\n`);
  const dataDir = ['--data-dir', `${path}/data`];
  const imported = await lurecheck(['lists', 'import', 'feed', `${path}/feed.txt`, '--yes', ...dataDir]);
  expect(imported).toMatchObject({ exitCode: 0 });
  await lurecheck(['lists', 'add', 'ours', 'good.evil.example', '--action', 'allow', ...dataDir]);
  const checks = ['http://paypal-login.verify-account-secure.cyou/signin/index.php', 'https://example.com/'];
  await lurecheck(['check', '--network', 'none', '--record', 'public', ...dataDir, ...checks]);
}

test('named-checkzone of BIND accepts the zone, and Squid the ACL', async () => {
  await using directory = temporaryDirectory();
  const { path } = directory;
  await boxWith(path, ENTRIES);

  const zone = await exported(path, 'rpz');
  writeFileSync(`${path}/zone`, zone.text);
  const checked = Bun.spawnSync(['named-checkzone', '-D', '-o', `${path}/canonical`, 'rpz.lurecheck', `${path}/zone`]);
  expect([checked.stderr.toString(), checked.exitCode]).toEqual(['', 0]);
  expect(checked.stdout.toString()).toMatch(/^zone rpz\.lurecheck\/IN: loaded serial \d+\n/);
  // As many names as were written are in the zone as BIND itself writes it down.
  const owners = zone.text.split('\n').filter((line) => / CNAME /.test(line));
  const canonical = readFileSync(`${path}/canonical`, 'utf8').split('\n');
  expect(canonical.filter((line) => /\sCNAME\s/.test(line))).toHaveLength(owners.length);
  expect(owners).toContain('*.paypal-login.verify-account-secure.cyou CNAME .');
  expect(zone.stderr).toContain('omitted 1 entry with names that the format cannot hold');

  const acl = await exported(path, 'squid');
  writeFileSync(`${path}/acl`, acl.text);
  writeFileSync(`${path}/squid.conf`, `http_port 127.0.0.1:3128\ninclude ${path}/acl\nhttp_access allow all\n`);
  const parsed = Bun.spawnSync(['squid', '-k', 'parse', '-f', `${path}/squid.conf`]);
  const said = parsed.stderr.toString();
  expect([said.match(/.*(?:FATAL|ERROR|WARNING).*/g), parsed.exitCode]).toEqual([null, 0]);
  const understood = said.match(/Processing: acl lurecheck_/g) ?? [];
  expect(understood).toHaveLength(acl.text.match(/^acl /gm)?.length ?? -1);
  expect(acl.stderr).toContain('omitted 1 entry longer than a line of the format may be');
});

test('a zone of 50,000 names with a configured zone name is accepted', async () => {
  await using directory = temporaryDirectory();
  const { path } = directory;
  const random = createRandom(6);
  const names = Array.from(
    { length: 50_000 },
    (_, n) => `${random.text(12, 'abcxyz019')}n${n}.${random.pick(['example', 'evil.example', 'cyou'])}`,
  );
  await boxWith(path, names);
  const { text } = await exported(path, 'rpz', '--zone', 'a-longer-name.for-the-zone.example.com');
  const checked = Bun.spawnSync(['named-checkzone', 'a-longer-name.for-the-zone.example.com', '-'], {
    stdin: Buffer.from(text),
  });
  expect([checked.stderr.toString(), checked.exitCode]).toEqual(['', 0]);
});
