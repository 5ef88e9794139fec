import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lurecheck } from '#test/support/executable.ts';
import { BRANDS, packDesk, STRICT, THRESHOLDS } from '#test/support/pack-desk.ts';
import { rdapTable, TODAY, whoisTable } from '#test/support/server-tables.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const URL = 'https://www.example.org/';

describe('a pack of a trusted publisher', () => {
  test('is installed in one step, and rolled back', async () => {
    await using directory = temporaryDirectory();
    const { dataDir, pack, keyFile, build, trust, list, inForce, check } = packDesk(directory.path);
    const acme = keyFile('acme');
    const before = await check(URL);
    const file = await build({}, { ...THRESHOLDS, ...BRANDS });
    expect((await trust(acme)).stderr).toContain(acme.fingerprint);
    const installed = await pack('install', file, '--yes');
    expect([installed.exitCode, installed.stderr]).toEqual([
      0,
      expect.stringContaining('acme-bank 1 is installed: no service is running'),
    ]);
    expect(installed.stdout).toContain('acme-bank 1 of acme');
    expect(installed.stdout).toContain('warnings and blocks from 0.000001 and 0.999, before from');
    expect(installed.stdout).toContain('+ brand Nordwerk (nordwerk.example)');
    expect(await check(URL)).toMatchObject({ decision: 'warn', thresholds: { warn: 0.000001, block: 0.999 } });
    expect((await check('http://login-nordwerk.com/')).decision).not.toBe('allow');
    expect(await list()).toMatchObject([
      { name: 'acme-bank', version: 1, in_force: true, expired: false, publisher: 'acme' },
    ]);
    expect((await pack('install', file, '--yes')).stderr).toContain('acme-bank 1 is installed already');
    expect((await pack('rollback')).stderr).toContain('no pack is installed');
    expect(await check(URL)).toEqual(before);
    expect(await inForce()).toEqual([]);
    expect((await pack('rollback')).exitCode).toBe(2);
    expect(readdirSync(join(dataDir, 'packs')).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  test('renews tables of facts, if its own are newer than those of the program', async () => {
    await using directory = temporaryDirectory();
    const { dataDir, pack, keyFile, build, trust, list } = packDesk(directory.path);
    await trust(keyFile('acme'));
    const about = async () => (await lurecheck(['about', '--data-dir', dataDir])).stdout;
    const before = await about();
    const [, was] = /^ {2}(\S+) {2}rdap-servers\.json$/m.exec(before) ?? [];
    const tables = {
      'facts/rdap-servers.json': rdapTable(TODAY),
      'facts/whois-servers.json': whoisTable('2001-01-01'),
    };
    const file = await build({}, tables);
    expect((await pack('verify', file)).stdout).toContain(
      `rdap-servers.json of ${TODAY}, whois-servers.json of 2001-01-01, trusted here`,
    );
    const { stdout } = await pack('install', file, '--yes');
    expect(stdout).toContain(`registry servers of ${was} → ${TODAY} (rdap-servers.json)\n`);
    expect(stdout).toContain('registry servers of 2001-01-01 (whois-servers.json), not used: those in use are of ');
    expect((await pack('list')).stdout).toContain(
      `\trdap-servers.json of ${TODAY}\twhois-servers.json of 2001-01-01, not used\n`,
    );
    expect((await list())[0].facts).toEqual([
      { table: 'rdap-servers.json', retrieved: TODAY, in_use: true },
      { table: 'whois-servers.json', retrieved: '2001-01-01', in_use: false },
    ]);
    expect(await about()).toContain(`  ${TODAY}  rdap-servers.json (of a pack)\n`);
    await pack('rollback');
    expect(await about()).toBe(before);
    await expect(build({ version: 2 }, { 'facts/rdap-servers.json': '{"source": "IANA"' })).rejects.toThrow(
      'its facts/rdap-servers.json cannot be used: rdap-servers.json must be a JSON object',
    );
    await expect(build({ version: 3 }, { 'facts/brands.json': '{}' })).rejects.toThrow(
      'of facts, packs may contain facts/rdap-servers.json and facts/whois-servers.json',
    );
  });

  test('is installed only after confirmation', async () => {
    await using directory = temporaryDirectory();
    const { dataDir, pack, keyFile, build, trust, inForce } = packDesk(directory.path);
    const acme = keyFile('acme');
    await trust(acme);
    const file = await build({}, THRESHOLDS);
    const ask = (stdin: string) => lurecheck(['pack', 'install', file, '--data-dir', dataDir], { stdin });
    expect(await ask('n\n')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('nothing was changed') });
    expect((await pack('install', file)).exitCode).toBe(2);
    expect(await inForce()).toEqual([]);
    expect((await ask('y\n')).exitCode).toBe(0);
    expect(await inForce()).toEqual(['acme-bank 1']);
  });

  test('with a model is compared on stored checks, classifies, and is rolled back', async () => {
    await using directory = temporaryDirectory();
    const { dataDir, pack, keyFile, build, trust, check } = packDesk(directory.path);
    const acme = keyFile('acme');
    await trust(acme);
    const before = await check(URL);
    {
      await using service = await startService(dataDir);
      for (const url of [URL, 'https://www.debian.org/']) await service.check(url);
    }
    const { stdout, exitCode } = await pack('install', await build({}, STRICT), '--yes');
    expect(exitCode).toBe(0);
    const version = before.version.replace(/^[^-]+/, 'strict');
    expect(stdout).toContain(`the model ${version} replaces ${before.version}`);
    expect(stdout).toContain('allow → warn: 2\n2 checks compared');
    expect(await check(URL)).toMatchObject({ decision: 'warn', version });
    // The operator's own word comes before a pack's.
    await lurecheck(['model', 'use', before.version, '--data-dir', dataDir]);
    expect(await check(URL)).toEqual(before);
    await lurecheck(['model', 'use', 'shipped', '--data-dir', dataDir]);
    expect((await check(URL)).version).toBe(version);
    await pack('remove', 'acme-bank');
    expect(await check(URL)).toEqual(before);
    await pack('rollback');
    expect((await check(URL)).version).toBe(version);
  });
});

describe('refuses a pack, and changes nothing that is active:', () => {
  test('from an untrusted key, or changed after it was signed', async () => {
    await using directory = temporaryDirectory();
    const { folder, pack, keyFile, build, trust, inForce } = packDesk(directory.path);
    const acme = keyFile('acme');
    keyFile('other');
    const file = await build({}, THRESHOLDS);
    expect(await pack('install', file, '--yes')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('not trusted here'),
    });
    await trust(acme);
    const other = await build({}, THRESHOLDS, 'other');
    expect((await pack('install', other, '--yes')).stderr).toContain('not trusted here');
    const changed = join(folder, 'changed.pack');
    writeFileSync(changed, readFileSync(file, 'latin1').replace('"version":1', '"version":9'), 'latin1');
    expect((await pack('install', changed, '--yes')).stderr).toContain('it was changed or forged');
    const wrong = await pack('trust', join(folder, 'other.pem'), '--name', 'Other', '--fingerprint', '0'.repeat(16));
    expect(wrong).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('nothing was changed') });
    expect(await inForce()).toEqual([]);
  });

  test('from a revoked key, and reports the active pack of that key', async () => {
    await using directory = temporaryDirectory();
    const { folder, pack, keyFile, build, trust, list } = packDesk(directory.path);
    const acme = keyFile('acme');
    await trust(acme);
    await pack('install', await build({}, THRESHOLDS), '--yes');
    expect((await pack('revoke', acme.fingerprint.slice(0, 15))).exitCode).toBe(2);
    expect((await pack('revoke', acme.fingerprint.slice(0, 16))).stderr).toContain('acme-bank 1 is still active');
    expect((await pack('install', await build({ version: 2 }, THRESHOLDS), '--yes')).stderr).toContain(
      'was revoked on',
    );
    expect(await list()).toMatchObject([{ version: 1, in_force: true, revoked: true }]);
    expect((await pack('list')).stdout).toMatch(
      /^acme-bank 1\tactive, of .*\t.*the key of acme that signed it was revoked/,
    );
    expect((await pack('keys')).stdout).toContain('revoked ');
    // Its fingerprint alone does not bring it back: somebody has to say that it is to be trusted again.
    const asked = await pack('trust', join(folder, 'acme.pem'), '--name', 'acme', '--fingerprint', acme.fingerprint);
    expect([asked.exitCode, asked.stderr]).toEqual([2, expect.stringContaining('was revoked on')]);
    expect(await list()).toMatchObject([{ revoked: true }]);
    const again = await pack('trust', join(folder, 'acme.pem'), '--name', 'acme', '--yes');
    expect([again.exitCode, again.stderr]).toEqual([
      0,
      expect.stringMatching(/was revoked on .*; it is trusted again/),
    ]);
    expect(await list()).toMatchObject([{ revoked: false }]);
  });

  test('of an older version, unless --older is given', async () => {
    await using directory = temporaryDirectory();
    const { pack, keyFile, build, trust, inForce } = packDesk(directory.path);
    await trust(keyFile('acme'));
    const old = await build({}, THRESHOLDS);
    await pack('install', await build({ version: 2 }, THRESHOLDS), '--yes');
    expect((await pack('install', old, '--yes')).stderr).toContain('version 2 is active and newer');
    expect(await inForce()).toEqual(['acme-bank 2']);
    expect((await pack('install', old, '--yes', '--older')).exitCode).toBe(0);
    expect(await inForce()).toEqual(['acme-bank 1']);
  });

  test.each([
    ['for a newer program', { needs: '99.0.0' }, THRESHOLDS, 'it needs version 99.0.0 or newer of the program'],
    [
      'whose thresholds leave no room',
      {},
      { 'thresholds.json': '{"warn": 0.9, "block": 0.8}' },
      'its thresholds.json must be',
    ],
    ['whose model is half', {}, { 'model/fusion.json': STRICT['model/fusion.json'] }, 'half of the model is missing'],
    [
      'whose brand is everybody’s',
      {},
      { 'brands.json': '{"version":1,"brands":[{"name":"Any","domains":["github.io"],"pages":[]}]}' },
      'anyone can publish under github.io',
    ],
  ])('%s', async (_, about, files, sentence) => {
    await using directory = temporaryDirectory();
    const { pack, keyFile, build, trust, inForce } = packDesk(directory.path);
    await trust(keyFile('acme'));
    const told = await build(about, files).then(
      (file) => pack('install', file, '--yes').then(({ stderr }) => stderr),
      (error) => String(error),
    );
    expect(told).toContain(sentence);
    expect(await inForce()).toEqual([]);
  });

  test('of another publisher under an existing name, or with content that another pack provides', async () => {
    await using directory = temporaryDirectory();
    const { pack, keyFile, build, trust, inForce } = packDesk(directory.path);
    await trust(keyFile('acme'));
    await trust(keyFile('other'));
    await pack('install', await build({}, THRESHOLDS), '--yes');
    const taken = await build({ version: 2 }, THRESHOLDS, 'other');
    expect((await pack('install', taken, '--yes')).stderr).toContain('is from another publisher');
    const beside = await build({ name: 'others' }, THRESHOLDS, 'other');
    expect((await pack('install', beside, '--yes')).stderr).toContain('so has the active pack acme-bank');
    expect(await inForce()).toEqual(['acme-bank 1']);
  });
});

test('a key is replaced by a pack that the previous key has signed', async () => {
  await using directory = temporaryDirectory();
  const { folder, pack, keyFile, build, trust, inForce } = packDesk(directory.path);
  const [old, next] = [keyFile('acme'), keyFile('next')];
  await trust(old);
  const later = await build({ version: 3 }, THRESHOLDS, 'next');
  expect((await pack('install', later, '--yes')).stderr).toContain('not trusted here');
  const turn = await build(
    { version: 2 },
    { ...THRESHOLDS, 'next-key.pem': readFileSync(join(folder, 'next.pem'), 'utf8') },
  );
  expect((await pack('install', turn, '--yes')).stdout).toContain(
    `next signing key of its publisher: ${next.fingerprint}`,
  );
  expect((await pack('install', later, '--yes')).exitCode).toBe(0);
  expect(await inForce()).toEqual(['acme-bank 3']);
  const late = await build({ version: 4 }, THRESHOLDS);
  expect((await pack('install', late, '--yes')).stderr).toContain('which acme replaced by');
  expect((await pack('revoke', old.fingerprint)).stderr).toContain(
    `its successor ${next.fingerprint} is still trusted`,
  );
  expect(await inForce()).toEqual(['acme-bank 3']);
});

test('a pack is verified without being installed', async () => {
  await using directory = temporaryDirectory();
  const { folder, pack, keyFile, build } = packDesk(directory.path);
  keyFile('acme');
  const file = await build({}, THRESHOLDS);
  const sound = await pack('verify', file);
  expect(sound.exitCode).toBe(0);
  expect(sound.stdout).toContain('acme-bank 1 of Acme');
  expect(sound.stdout).toMatch(/, 1 member of \d+ bytes, signed by the key [\da-f]+, not trusted here\n$/);
  const cut = join(folder, 'cut.pack');
  writeFileSync(cut, readFileSync(file).subarray(0, -3));
  const { exitCode, stdout, stderr } = await pack('verify', cut);
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toContain('is NOT trustworthy: it is cut short: 3 bytes are missing at its end');
});

describe('the lists of a pack', () => {
  const BAD = 'http://bad.example/';
  const listed = (text: string) => ({ 'lists/block/phishing.txt': text });

  test('replace those of the previous version, and are removed with the pack', async () => {
    await using directory = temporaryDirectory();
    const { dataDir, pack, keyFile, build, trust, check } = packDesk(directory.path);
    await trust(keyFile('acme'));
    {
      await using service = await startService(dataDir);
      for (const url of [URL, BAD]) await service.check(url);
    }
    const files = {
      ...listed('bad.example\ngithub.io\n'),
      'lists/allow/ours.csv': 'value,expiration\nours.example,\n',
    };
    const { stdout, exitCode } = await pack('install', await build({}, files), '--yes');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('acme-bank.phishing: 1 entry (1 new)');
    expect(stdout).toContain('line 2: github.io is a public suffix');
    expect(stdout).toContain('allow → block: 1\n2 checks compared');
    expect((await check(BAD)).decision).toBe('block');
    await pack('install', await build({ version: 2 }, listed('worse.example\n')), '--yes');
    expect((await check(BAD)).decision).toBe('allow');
    expect((await check('http://worse.example/')).decision).toBe('block');
    await pack('rollback');
    expect((await check(BAD)).decision).toBe('block');
    expect((await check('http://worse.example/')).decision).toBe('allow');
    await pack('remove', 'acme-bank');
    expect((await check(BAD)).decision).toBe('allow');
  });

  test('that are invalid are refused with their lines, and nothing of the pack becomes active', async () => {
    await using directory = temporaryDirectory();
    const { pack, keyFile, build, trust, inForce, check } = packDesk(directory.path);
    await trust(keyFile('acme'));
    const file = await build({}, { ...THRESHOLDS, ...listed('bad.example\nnot a host\n') });
    const { exitCode, stderr } = await pack('install', file, '--yes');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('line 2');
    expect(await inForce()).toEqual([]);
    expect((await check(BAD)).decision).toBe('allow');
  });
});

test('a backup contains the packs, their lists, the trusted keys, and what was active before', async () => {
  await using directory = temporaryDirectory();
  const { folder, dataDir, pack, keyFile, build, trust, inForce, check } = packDesk(directory.path);
  await trust(keyFile('acme'));
  await pack('install', await build({}, THRESHOLDS), '--yes');
  await pack('install', await build({ version: 2 }, { 'lists/block/phishing.txt': 'bad.example\n' }), '--yes');
  await lurecheck(['check', '--record', 'public', '--network', 'none', '--data-dir', dataDir, URL]);
  const backup = join(folder, 'backup');
  expect((await lurecheck(['backup', 'create', backup, '--data-dir', dataDir])).exitCode).toBe(0);
  rmSync(dataDir, { recursive: true });
  expect((await lurecheck(['backup', 'restore', backup, '--foreign', '--data-dir', dataDir])).exitCode).toBe(0);
  expect(await inForce()).toEqual(['acme-bank 2']);
  expect((await check('http://bad.example/')).decision).toBe('block');
  await pack('rollback');
  expect(await inForce()).toEqual(['acme-bank 1']);
  expect((await check(URL)).decision).toBe('warn');
  expect((await pack('install', await build({ version: 3 }, THRESHOLDS), '--yes')).exitCode).toBe(0);
});
