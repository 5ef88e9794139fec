import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { clockFloorFile } from '#src/parts/packs/packs/pack-time.ts';
import { lurecheck } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const PHISHING = 'http://paypal-login.verify-account-secure.cyou/signin/index.php';
const ON_PLATFORM = 'https://sites.google.com/view/evil-login';

/** A data directory with a list, and the log of some checks, of which one was blocked on a platform that many share. */
async function box(record: 'public' | 'private' = 'public') {
  const directory = temporaryDirectory();
  const dataDir = `${directory.path}/data`;
  const file = (name: string, text: string) => {
    writeFileSync(`${directory.path}/${name}`, text);
    return `${directory.path}/${name}`;
  };
  const feed = file(
    'feed.csv',
    'value,expiration,comment\nevil.example,2100-01-01,seen\nhttps://shared.example/kit,,\n',
  );
  await lurecheck(['lists', 'import', 'feed', feed, '--yes', '--data-dir', dataDir]);
  await lurecheck(['lists', 'add', 'ours', 'good.evil.example', '--action', 'allow', '--data-dir', dataDir]);
  const flags = ['--network', 'none', '--record', record, '--data-dir', dataDir];
  const block = file('block.txt', ON_PLATFORM);
  await lurecheck(['check', ...flags, '--block-list', block, 'https://example.com/', PHISHING, ON_PLATFORM]);
  return {
    folder: directory.path,
    run: (...words: string[]) => lurecheck(['lists', 'export', '--data-dir', dataDir, ...words]),
    exportsMade: () => lurecheck(['history', 'exports', '--format', 'json', '--data-dir', dataDir]),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

const LEFT_OUT = (count: string) => `lurecheck: omitted ${count} about URLs, of which the format knows none\n`;

test('lists export writes the blocked entries, and counts those that the format cannot express', async () => {
  await using made = await box();
  const { stdout, stderr, exitCode } = await made.run('--format', 'rpz');
  expect({ stderr, exitCode }).toEqual({ stderr: LEFT_OUT('1 entry'), exitCode: 0 });
  expect(stdout.split('\n').slice(4)).toEqual([
    'evil.example CNAME .',
    '*.evil.example CNAME .',
    'good.evil.example CNAME rpz-passthru.',
    '*.good.evil.example CNAME rpz-passthru.',
    '',
  ]);
  expect((await made.run('--format', 'rpz', '--quiet')).stderr).toBe('');
});

test('--from adds what checks blocked: a host, or on a platform the URL and never the platform', async () => {
  await using made = await box();
  const zone = await made.run('--format', 'rpz', '--from', 'history');
  expect(zone.stdout).toContain('\n*.paypal-login.verify-account-secure.cyou CNAME .\n');
  expect(zone.stdout).not.toContain('google');
  expect(zone.stdout).not.toContain('example.com ');
  expect(zone.stderr).toBe(LEFT_OUT('2 entries'));
  const squid = await made.run('--format', 'squid', '--from', '2020-01-01');
  expect(squid.stdout).toContain('url_regex ^https?://sites\\.google\\.com(:80|:443)?/view/evil-login$\n');
  expect((await made.run('--format', 'plain', '--from', '2020-01-01', '--until', '2020-02-01')).stdout).not.toContain(
    'cyou',
  );
});

test('the serial of a zone does not decrease if the clock was set back', async () => {
  await using made = await box();
  const seen = clockFloorFile(`${made.folder}/data`);
  mkdirSync(dirname(seen), { recursive: true });
  writeFileSync(seen, JSON.stringify({ newest: '2100-01-01T00:00:00.000Z' }));
  const { stdout } = await made.run('--format', 'rpz');
  expect(stdout).toContain(`@ SOA localhost. hostmaster.localhost. ${Date.UTC(2100, 0, 1) / 1000} `);
});

test('--out writes the complete file or nothing, and a missing flag is reported', async () => {
  await using made = await box();
  const out = `${made.folder}/zone`;
  expect((await made.run('--format', 'rpz', '--out', out)).stdout).toBe('');
  expect(readFileSync(out, 'utf8')).toContain('evil.example CNAME .');
  for (const [words, sentence] of [
    [[], '--format is required'],
    [['--format', 'text'], '--format takes rpz, hosts'],
    [['--format', 'rpz', '--until', '2026-01-01'], '--from is required'],
    [['--format', 'rpz', '--private'], '--from is required'],
    [['--format', 'rpz', '--from', 'soon'], '--from must be a time'],
    [['--format', 'rpz', '--zone', 'no zone'], '--zone takes a name'],
  ] as const) {
    const { exitCode, stderr, stdout } = await made.run(...words, '--out', `${made.folder}/other`);
    expect({ exitCode, stdout, isTold: stderr.includes(sentence) }).toEqual({ exitCode: 2, stdout: '', isTold: true });
  }
  expect(existsSync(`${made.folder}/other`)).toBe(false);
  const shown = await lurecheck(['lists', 'show', '--from', 'history', '--data-dir', `${made.folder}/data`]);
  expect(shown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--from requires lists export') });
});

test('an export of private checks requires --private, is recorded, and is readable by the owner only', async () => {
  await using made = await box('private');
  expect((await made.run('--format', 'plain', '--from', 'history')).stdout).not.toContain('cyou');
  expect(JSON.parse((await made.exportsMade()).stdout)).toEqual([]);
  const out = `${made.folder}/private`;
  const { exitCode, stderr } = await made.run('--format', 'stix', '--from', 'history', '--private', '--out', out);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: 'lurecheck: omitted 1 entry allowed within what is blocked, which the format cannot say\n',
  });
  expect(statSync(out).mode & 0o777).toBe(0o600);
  const objects: readonly { pattern?: string; object_marking_refs?: readonly string[] }[] = JSON.parse(
    readFileSync(out, 'utf8'),
  ).objects;
  expect(objects.slice(1).every((one) => one.object_marking_refs?.length === 1)).toBe(true);
  expect(objects.some(({ pattern }) => pattern?.includes('cyou'))).toBe(true);
  expect(JSON.parse((await made.exportsMade()).stdout)).toMatchObject([{ format: 'stix' }]);
});
