import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { AnalysisDetails, CheckResult } from '#src/checks/record/check-result.ts';
import { executable, lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const PHISHING = 'http://paypal-login.verify-account-secure.cyou/signin/index.php';

/** Checks URLs, and logs them publicly. */
async function record(dataDir: string, ...urls: string[]): Promise<void> {
  await lurecheck(['check', '--network', 'none', '--record', 'public', '--data-dir', dataDir, ...urls]);
}

async function urlsOf(dataDir: string, ...flags: string[]): Promise<string[]> {
  const { stdout } = await lurecheck(['log', '--data-dir', dataDir, '--format', 'json', ...flags]);
  return JSON.parse(stdout).map(({ url }: { url: string }) => url);
}

describe('log', () => {
  test('prints the latest checks as an array, filtered by limit, decision and domain', async () => {
    await using directory = temporaryDirectory();
    await record(directory.path, 'http://a.example/');
    expect(await urlsOf(directory.path)).toEqual(['http://a.example/']);
    await record(directory.path, PHISHING);
    await record(directory.path, 'http://b.example/');
    expect(await urlsOf(directory.path, '--limit', '2')).toEqual(['http://b.example/', PHISHING]);
    expect(await urlsOf(directory.path, '--decision', 'block')).toEqual([PHISHING]);
    expect(await urlsOf(directory.path, '--decision', 'block', '--limit', '5', '--domain', 'a.example')).toEqual([]);
  });

  test('filters by coverage, caution and model version', async () => {
    await using directory = temporaryDirectory();
    const page = '<html><title>Bread</title><p>How to bake bread, in twelve steps.</p></html>';
    const observed = JSON.stringify({ url: 'http://full.example/', html: page, status_code: 200 });
    const args = ['check', '--network', 'none', '--record', 'public', '--data-dir', directory.path];
    await lurecheck([...args, '--input', 'ndjson', '-'], { stdin: `${observed}\n` });
    await record(directory.path, 'http://a.example/', 'https://bit.ly/3xYzAbC');
    const { stdout } = await lurecheck(['log', '--data-dir', directory.path, '--format', 'json']);
    const checks: CheckResult[] = JSON.parse(stdout);
    const of = (isMeant: (details: AnalysisDetails) => boolean) =>
      checks.filter((check) => isMeant(check.analysis_details)).map(({ url }) => url);
    const full = of(({ coverage }) => coverage === 'full');
    const cautious = of(({ caution }) => caution);
    const version = checks[0]?.analysis_details.model_version ?? '';
    expect([checks.length, full.length, cautious.length]).toEqual([3, 1, 1]);
    expect(await urlsOf(directory.path, '--coverage', 'full')).toEqual(full);
    expect(await urlsOf(directory.path, '--coverage', 'partial')).toEqual([]);
    expect(await urlsOf(directory.path, '--caution')).toEqual(cautious);
    expect(await urlsOf(directory.path, '--model', version, '--limit', '2')).toHaveLength(2);
    expect(await urlsOf(directory.path, '--model', 'unknown')).toEqual([]);
    const exported = await lurecheck([
      ...['log', 'export', '--format', 'csv', '--coverage', 'full', '--data-dir', directory.path],
    ]);
    expect(exported.stdout.trim().split('\n')).toHaveLength(2);
  });

  test('with --follow prints earlier checks up to the limit, then each new check', async () => {
    await using directory = temporaryDirectory();
    const dataDir = directory.path;
    await record(dataDir, 'http://a.example/');
    await record(dataDir, 'http://b.example/');
    const command = ['log', '--data-dir', dataDir, '--follow', '--limit', '1', '--format', 'tsv'];
    const all = Bun.spawn([await executable(), ...command], { stdout: 'pipe', stderr: 'pipe', env: {} });
    let seen = '';
    const later = ['http://c.example/', 'http://c.other.test/', PHISHING];
    for await (const chunk of all.stdout.pipeThrough(new TextDecoderStream())) {
      seen += chunk;
      const next = later.shift();
      if (next === undefined) all.kill('SIGTERM');
      else await record(dataDir, next);
    }
    expect(await all.exited).toBe(143);
    expect(seen.split('\n').map((line) => line.split('\t')[0])).toEqual([
      'http://b.example/',
      'http://c.example/',
      'http://c.other.test/',
      PHISHING,
      '',
    ]);
    expect(await all.stderr.text()).toBe('');
  });

  test('marks and counts checks with unreadable records, which the API returns like all others', async () => {
    await using directory = temporaryDirectory();
    const dataDir = directory.path;
    const harms = new Map<string, readonly [harm: string, why: string]>([
      [PHISHING, ["x'09'", 'it has the unknown version 9']],
      ['http://cut.example/', ['substr(record, 1, length(record) - 3)', 'it is cut short']],
      ['http://code.example/', ["x'010effff7f'", 'it has an unknown reason']],
    ]);
    const urls = ['http://a.example/', ...harms.keys(), 'http://b.example/'];
    await record(dataDir, ...urls);
    {
      using database = new Database(`${dataDir}/public.sqlite`);
      for (const [url, [harm]] of harms) database.run(`update checks set record = ${harm} where url = ?`, [url]);
    }
    const said = 'lurecheck: 3 records cannot be read; only the other columns of those checks are shown\n';
    const text = await lurecheck(['log', '--data-dir', dataDir]);
    expect(text).toMatchObject({ exitCode: 1, stderr: said });
    for (const [, why] of harms.values()) expect(text.stdout).toContain(`its record cannot be read: ${why}\n`);
    expect(text.stdout).toContain('http://a.example/');
    const json = await lurecheck(['log', '--data-dir', dataDir, '--format', 'ndjson']);
    expect(json).toMatchObject({ exitCode: 1, stderr: said });
    const lines = json.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    // Checks of the same millisecond are in any order.
    expect(new Map(lines.map(({ url, unreadable }) => [url, unreadable]))).toEqual(
      new Map(urls.map((url) => [url, harms.get(url)?.[1]])),
    );
    const tsv = await lurecheck(['log', '--data-dir', dataDir, '--format', 'tsv', '--decision', 'block']);
    expect(tsv.stdout).toMatch(/^http:\/\/paypal\S+\t0\.9\d+\tblock\n$/);
    // The history, which the page shows, is of what stands beside the records.
    await using service = await startService(dataDir);
    const { items } = await service.history();
    expect(items.map(({ url }) => url).toSorted()).toEqual(urls.toSorted());
    expect(items.find(({ url }) => url === PHISHING)).toMatchObject({ decision: 'block' });
    const found = await fetch(`${service.url}/api/history?domain=cut.example`);
    expect(await found.json()).toMatchObject({ items: [{ url: 'http://cut.example/' }] });
    const { hours } = JSON.parse(await (await fetch(`${service.url}/api/stats`)).text());
    const counted = hours.flatMap(({ allow, warn, block }: Record<string, number>) => [allow, warn, block]);
    expect(counted.reduce((sum: number, checks: number) => sum + checks)).toBe(urls.length);
    expect((await service.check('http://after.example/')).status).toBe(200);
  });

  test('with --follow prints only checks that match the filter', async () => {
    await using directory = temporaryDirectory();
    const dataDir = directory.path;
    await record(dataDir, 'http://a.example/');
    const command = [
      'log',
      '--data-dir',
      dataDir,
      '--follow',
      '--limit',
      '1',
      '--format',
      'tsv',
      '--domain',
      'a.example',
    ];
    const child = Bun.spawn([await executable(), ...command], { stdout: 'pipe', env: {} });
    let seen = '';
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      seen += chunk;
      if (seen.includes('/last')) child.kill('SIGTERM');
      else await record(dataDir, 'http://b.example/', 'http://sub.a.example/last');
    }
    expect(await child.exited).toBe(143);
    expect(seen.split('\n').map((line) => line.split('\t')[0])).toEqual([
      'http://a.example/',
      'http://sub.a.example/last',
      '',
    ]);
  });
});

test('brand list writes JSON', async () => {
  await using directory = temporaryDirectory();
  const data = ['--data-dir', directory.path, '--format', 'json'];
  expect(JSON.parse((await lurecheck(['brand', 'list', ...data])).stdout)).toEqual([]);
  await lurecheck(['brand', 'add', 'Nordwerk', '--domain', 'nordwerk.example', ...data]);
  expect(JSON.parse((await lurecheck(['brand', 'list', ...data])).stdout)).toEqual([
    { name: 'Nordwerk', domains: ['nordwerk.example'], pages: 0, looks: 0, icons: 0 },
  ]);
});

test('brand test tries twenty synthetic attacks on a brand, and its domains', async () => {
  await using directory = temporaryDirectory();
  const data = ['--data-dir', directory.path];
  await lurecheck(['brand', 'add', 'Nordwerk', '--domain', 'nordwerk.example', ...data]);
  const { attacks, own } = JSON.parse(
    (await lurecheck(['brand', 'test', 'nordwerk', '--format', 'json', ...data])).stdout,
  );
  expect(attacks).toHaveLength(20);
  expect(attacks[0]).toEqual({
    url: 'http://nordwerk.example.evil.com/login',
    trick: 'its domain left of another',
    malicious_probability: expect.any(Number),
    decision: 'block',
  });
  expect(own).toMatchObject([{ url: 'https://nordwerk.example/login', decision: 'allow' }]);
  const { stdout } = await lurecheck(['brand', 'test', 'nordwerk', ...data]);
  expect(stdout.split('\n')).toHaveLength(attacks.length + own.length + 2);
  expect(stdout).toMatch(
    /^block +\d+\.\d % {2}http:\/\/nordwerk\.example\.evil\.com\/login {2}\(its domain left of another\)$/m,
  );
  expect(stdout).toEndWith('of 20 synthetic attacks and 0 of 1 own domains are warned about or blocked\n');
});

test('brand add refuses a page with too little content, and reports what is missing', async () => {
  await using directory = temporaryDirectory();
  const page = join(directory.path, 'thin.html');
  await Bun.write(page, '<title>Sign in</title><form><input name=u><input type=password name=p></form>');
  const data = ['--data-dir', directory.path, '--domain', 'nordwerk.example'];
  const { exitCode, stderr } = await lurecheck(['brand', 'add', 'Nordwerk', '--page', page, ...data]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('missing a text of 68 letters and more and pictures, styles or scripts');
});
