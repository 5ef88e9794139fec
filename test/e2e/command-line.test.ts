import { describe, expect, test } from 'bun:test';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lurecheck } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import manifest from '../../package.json' with { type: 'json' };

const OFFLINE = ['check', '--network', 'none'];
const BENIGN = 'https://www.wikipedia.org/';
const PHISHING = 'http://paypal-login.verify-account-secure.cyou/signin/index.php';

describe('the executable', () => {
  test('prints its version and its help', async () => {
    const version = await lurecheck(['version']);
    expect(version).toEqual({ exitCode: 0, stdout: `lurecheck ${manifest.version}\n`, stderr: '' });
    const help = await lurecheck(['help', '--all']);
    expect(help.exitCode).toBe(0);
    for (const command of ['serve', 'check', 'log', 'train', 'healthcheck', 'licenses', 'version']) {
      expect(help.stdout).toContain(`  ${command} `);
      expect((await lurecheck(['help', command])).stdout).toContain(`Usage: lurecheck ${command}`);
    }
  });

  test('suggests the correct name for an unknown command, flag or setting', async () => {
    const command = await lurecheck(['chekc']);
    expect(command.exitCode).toBe(2);
    expect(command.stderr).toContain('did you mean check?');
    const flag = await lurecheck(['check', '--formt', 'tsv', BENIGN]);
    expect(flag.exitCode).toBe(2);
    expect(flag.stderr).toContain('did you mean --format?');
    const setting = await lurecheck([...OFFLINE, BENIGN], { environment: { LURECHECK_RATELIMIT: '3' } });
    expect(setting.exitCode).toBe(2);
    expect(setting.stderr).toContain('did you mean rate_limit?');
  });

  test('reports all invalid settings at once', async () => {
    const { exitCode, stderr } = await lurecheck(['serve', '--rate-limit', 'many', '--base-rate', '2'], {
      environment: { LURECHECK_TRUSTED_PROXY: '10.0.0.1/8' },
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--rate-limit is "many", but must be a whole number from 0');
    expect(stderr).toContain('--base-rate is "2"');
    expect(stderr).toContain('LURECHECK_TRUSTED_PROXY is "10.0.0.1/8"');
  });

  test('runs no code and reads no settings from its working directory', async () => {
    await using directory = temporaryDirectory();
    writeFileSync(join(directory.path, 'evil.ts'), 'console.log("evil ran");');
    writeFileSync(join(directory.path, 'bunfig.toml'), 'preload = ["./evil.ts"]\n');
    writeFileSync(join(directory.path, '.env'), 'LURECHECK_BASE_RATE=nonsense\n');
    chmodSync(directory.path, 0o500);
    const { exitCode, stdout, stderr } = await lurecheck([...OFFLINE, '--format', 'tsv', BENIGN], {
      cwd: directory.path,
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).not.toContain('evil');
  });

  test('prints the licences and the SBOM of its components', async () => {
    const { stdout } = await lurecheck(['licenses']);
    for (const name of Object.keys(manifest.dependencies)) expect(stdout).toContain(`${name} `);
    for (const table of ['brands.json', 'confusables.json', 'popular-sites.txt'])
      expect(stdout).toContain(`Data: ${table}`);
    const bill = await lurecheck(['sbom']);
    expect(JSON.parse(bill.stdout).metadata.component).toMatchObject({ name: 'lurecheck', version: manifest.version });
  });
});

describe('check', () => {
  test('distinguishes a phishing link from a benign one, with reasons that add up', async () => {
    const { stdout } = await lurecheck([...OFFLINE, '--format', 'json', PHISHING, BENIGN]);
    const [phishing, benign] = JSON.parse(stdout);
    expect(phishing.decision).toBe('block');
    expect(benign.decision).toBe('allow');
    for (const { malicious_probability: p, analysis_details: details } of [phishing, benign]) {
      const weights = details.reasons.reduce((sum: number, { weight }: { weight: number }) => sum + weight, 0);
      expect(details.base_log_odds + weights).toBeCloseTo(Math.log(p / (1 - p)), 6);
    }
  });

  test('prints an object for one URL, and an array in input order for several', async () => {
    expect(JSON.parse((await lurecheck([...OFFLINE, '--format', 'json', BENIGN])).stdout).url).toBe(BENIGN);
    const urls = [PHISHING, BENIGN, 'http://example.com/'];
    const several = JSON.parse((await lurecheck([...OFFLINE, '--format', 'json', ...urls])).stdout);
    expect(several.map(({ url }: { url: string }) => url)).toEqual(urls);
  });

  test('prints an error instead of an invalid line, continues, and exits with 1', async () => {
    const stdin = `${BENIGN}\n\nhttp://a b/\r\n  \nexample.com\n`;
    const tsv = await lurecheck([...OFFLINE, '--format', 'tsv', '-'], { stdin });
    expect(tsv.exitCode).toBe(1);
    const rows = tsv.stdout.split('\n').map((row) => row.split('\t'));
    expect(rows.map(([url, , decision]) => [url, decision])).toEqual([
      [BENIGN, 'allow'],
      ['http://a b/', 'error'],
      ['example.com', 'allow'],
      ['', undefined],
    ]);
    const ndjson = await lurecheck([...OFFLINE, '--format', 'ndjson', '-'], { stdin });
    const objects = ndjson.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(objects[1]).toMatchObject({ status: 400, url: 'http://a b/', line: 3 });
    expect(objects[2].analysis_details.normalized_url).toBe('http://example.com/');
  });

  test('with --fail-on, exits with 20 for a block and 10 for a warning', async () => {
    const block = [...OFFLINE, '--format', 'tsv', '--fail-on'];
    expect((await lurecheck([...block, 'block', BENIGN, PHISHING])).exitCode).toBe(20);
    expect((await lurecheck([...block, 'warn', BENIGN])).exitCode).toBe(0);
    const warn = [...block, 'warn', '--warn-threshold', '0.5', '--block-threshold', '0.99999999999'];
    expect((await lurecheck([...warn, PHISHING])).exitCode).toBe(10);
  });

  test('escapes control characters of untrusted text', async () => {
    const { stdout } = await lurecheck([...OFFLINE, '-'], { stdin: 'http://example.com/\u001b[2J\u202egnp.exe\n' });
    expect(stdout).not.toMatch(/\p{Cf}|(?!\n)\p{Cc}/u);
    expect(stdout).toContain('\\x1b');
  });
});

describe('a saved page', () => {
  const HTML = '<title>Log in</title><form action="http://other.example/p.php"><input type=password name=p></form>';

  test('has the same verdict from a file and from an object, and a different one without the page', async () => {
    await using directory = temporaryDirectory();
    const path = join(directory.path, 'page.html');
    writeFileSync(path, HTML);
    const url = 'http://portal.example/';
    const json = [...OFFLINE, '--format', 'ndjson'];
    const plain = JSON.parse((await lurecheck([...json, url])).stdout);
    const ofFile = JSON.parse((await lurecheck([...json, '--html', path, url])).stdout);
    const stdin = `${JSON.stringify({ url, html: HTML })}\n`;
    const ofObject = JSON.parse((await lurecheck([...json, '--input', 'ndjson', '-'], { stdin })).stdout);
    expect(ofFile.analysis_details).toMatchObject({
      html_available: true,
      status_code: 200,
      content_length: HTML.length,
    });
    expect(ofObject.malicious_probability).toBe(ofFile.malicious_probability);
    expect(ofObject.analysis_details.reasons).toEqual(ofFile.analysis_details.reasons);
    expect(plain.analysis_details.html_available).toBe(false);
    expect(ofFile.malicious_probability).toBeGreaterThan(plain.malicious_probability);
  });

  test('is re-scored from its observations, with identical output', async () => {
    await using directory = temporaryDirectory();
    const path = join(directory.path, 'observed.json');
    const stdin = `${JSON.stringify({ url: 'hxxp://portal[.]example/', html: HTML })}\n{"url":"${BENIGN}"}\n`;
    const flags = ['--format', 'json', '--with-observations'];
    const first = await lurecheck([...OFFLINE, ...flags, '--input', 'ndjson', '-'], { stdin });
    writeFileSync(path, first.stdout);
    const again = await lurecheck(['check', ...flags, '--observations', path]);
    expect(again).toEqual(first);
    expect(
      JSON.parse((await lurecheck(['check', '--format', 'json', '--observations', path])).stdout)[0].observations,
    ).toBe(undefined);
  });

  test('in an object with an invalid member is rejected, and the error names the member', async () => {
    const stdin = '{"url":"http://a.example/","status_code":"200"}\n{"link":"x"}\n[]\nnot json\n';
    const { stdout, exitCode } = await lurecheck([...OFFLINE, '--input', 'ndjson', '--format', 'ndjson', '-'], {
      stdin,
    });
    const details = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).detail);
    expect(exitCode).toBe(1);
    expect(details[0]).toContain('"status_code"');
    expect(details[1]).toContain('"url"');
    expect(details[2]).toContain('must be an object');
    expect(details[3]).toContain('not JSON');
  });
});

test('a configured portal is recognized on another host until its brand is removed', async () => {
  await using directory = temporaryDirectory();
  const page = join(directory.path, 'portal.html');
  const words =
    'Welcome to the staff portal of the Nordwerk harbour works. Sign in with your number and your password.';
  writeFileSync(
    page,
    `<title>Nordwerk sign-on</title><p>${words}</p><form action=/sso><input name=no><input type=password name=pw></form>`,
  );
  const data = ['--data-dir', directory.path];
  const check = async (host: string) => {
    const { stdout } = await lurecheck([...OFFLINE, ...data, '--html', page, '--format', 'ndjson', `http://${host}/`]);
    return JSON.parse(stdout).analysis_details.reasons.map(({ code }: { code: string }) => code);
  };
  const added = await lurecheck(['brand', 'add', 'Nordwerk', '--domain', 'nordwerk.example', '--page', page, ...data]);
  expect(added).toEqual({
    exitCode: 0,
    stdout: 'Nordwerk\tnordwerk.example\t1 pages\n',
    stderr: expect.stringContaining('no service is running'),
  });
  expect(await check('nordwerk-sso.example.net')).toContain('page.own_brand_clone');
  expect(await check('sso.nordwerk.example')).not.toContain('page.own_brand_clone');
  expect((await lurecheck(['brand', 'remove', 'nordwerk', ...data])).exitCode).toBe(0);
  expect(await check('nordwerk-sso.example.net')).not.toContain('page.own_brand_clone');
  expect((await lurecheck(['brand', 'remove', 'nordwerk', ...data])).exitCode).toBe(2);
});
