import { describe, expect, test } from 'bun:test';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AboutSchema } from '#src/checks/record/about.ts';
import { lurecheck } from '#test/support/executable.ts';
import { BRANDS, packDesk, STRICT, THRESHOLDS } from '#test/support/pack-desk.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { reload } from '#test/support/reload.ts';
import { rdapTable, TODAY, whoisTable } from '#test/support/server-tables.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';

const URL = 'https://www.example.org/';

async function readText(service: Service, path: string): Promise<string> {
  return await (await fetch(`${service.url}${path}`)).text();
}

async function packsOf(service: Service) {
  return parseAs(AboutSchema, JSON.parse(await readText(service, '/api/about'))).packs;
}

/** What `/readyz` says of the packs. */
async function readiness(service: Service): Promise<{ state: string; detail: string | null; notices: string[] }> {
  const { notices, parts } = JSON.parse(await readText(service, '/readyz?verbose'));
  const { state, detail } = parts.find(({ name }: { name: string }) => name === 'packs');
  return { state, detail, notices };
}

const decisionOf = async (service: Service, url = URL) => (await service.result(url)).decision;

test('a service applies a pack, and its rollback, without a restart', async () => {
  await using directory = temporaryDirectory();
  const { dataDir, pack, keyFile, build, trust } = packDesk(directory.path);
  await trust(keyFile('acme'));
  await using service = await startService(dataDir, ['--admin-listen', '127.0.0.1:0']);
  const before = await service.result(URL);
  expect(await readiness(service)).toEqual({ state: 'off', detail: null, notices: [] });
  await pack('install', await build({}, { ...THRESHOLDS, ...BRANDS, ...STRICT }), '--yes');
  await untilSeen('the pack judges', async () => (await decisionOf(service)) === 'warn');
  const { analysis_details: details } = await service.result('http://login-nordwerk.com/');
  expect(details.model_version).toMatch(/^strict-[0-9a-f]{8}\+/);
  expect(details.thresholds).toEqual({ warn: 0.000001, block: 0.999 });
  expect(await readText(service, '/')).toContain('data-warn="0.000001"');
  expect(await packsOf(service)).toEqual([
    { name: 'acme-bank', version: 1, publisher: 'acme', expires_at: '2099-12-31T23:59:59.999Z', state: 'in_force' },
  ]);
  expect(await readiness(service)).toEqual({ state: 'ok', detail: 'acme-bank 1', notices: [] });
  await pack('rollback');
  await untilSeen('the pack is gone', async () => (await decisionOf(service)) === 'allow');
  expect((await service.result(URL)).malicious_probability).toBe(before.malicious_probability);
  expect(await packsOf(service)).toEqual([]);
});

test('a service states the age of the facts in use, with those of a pack and after its rollback', async () => {
  await using directory = temporaryDirectory();
  const { dataDir, pack, keyFile, build, trust } = packDesk(directory.path);
  await trust(keyFile('acme'));
  await using service = await startService(dataDir);
  const oldest = async () => parseAs(AboutSchema, JSON.parse(await readText(service, '/api/about'))).oldest_facts;
  const before = await oldest();
  const renewed = before.table === 'whois-servers.json' ? whoisTable(TODAY) : rdapTable(TODAY);
  await pack('install', await build({}, { [`facts/${before.table}`]: renewed }), '--yes');
  await untilSeen('the table is renewed', async () => (await oldest()).table !== before.table);
  await pack('rollback');
  await untilSeen('the former is back', async () => Bun.deepEquals(await oldest(), before));
});

test('an active pack that expires stays active, and every status report names it', async () => {
  await using directory = temporaryDirectory();
  const { dataDir, pack, keyFile, build, trust } = packDesk(directory.path);
  await trust(keyFile('acme'));
  await pack('install', await build({}, THRESHOLDS), '--yes');
  // The clock is right, but this host has observed a later time, which counts.
  writeFileSync(join(dataDir, 'packs/clock.json'), '{"newest": "2100-06-01T00:00:00.000Z"}\n');
  await using service = await startService(dataDir, ['--admin-listen', '127.0.0.1:0']);
  expect(await decisionOf(service)).toBe('warn');
  const { state, notices } = await readiness(service);
  expect(state).toBe('degraded');
  expect(notices[0]).toBe(
    'The pack acme-bank 1 expired on 2099-12-31: its content stays active, but its lists no longer decide alone.',
  );
  expect(notices[1]).toContain(
    'this host has observed 2100-06-01T00:00:00.000Z: the later one decides when packs expire.',
  );
  expect(await packsOf(service)).toMatchObject([{ name: 'acme-bank', state: 'expired' }]);
  const admin = /"admin_url":"([^"]+)"/.exec(service.output.stdout)?.[1];
  const metrics = await (await fetch(`${admin}/metrics`)).text();
  expect(metrics).toContain('lurecheck_pack_info{pack="acme-bank",version="1",publisher="acme"} 1\n');
  expect(metrics).toContain('lurecheck_pack_expires_timestamp_seconds{pack="acme-bank"} 4102444799.999\n');
  expect(metrics).toContain('lurecheck_pack_problems 2\n');
  expect((await pack('list')).stdout).toContain('expired on 2099-12-31');
  const late = await pack('install', await build({ version: 2 }, THRESHOLDS), '--yes');
  expect(late.stderr).toContain('it expired on 2099-12-31');
  const doctor = await lurecheck(['doctor', '--data-dir', dataDir, '--network', 'none']);
  expect(doctor.stdout).toContain('expired on 2099-12-31');
  expect(doctor.stdout).toContain('before 2100-06-01T00:00:00.000Z, a time that this host has already observed');
});

test('a service starts if a stored pack is damaged or missing, and reports that', async () => {
  await using directory = temporaryDirectory();
  const { dataDir, pack, keyFile, build, trust } = packDesk(directory.path);
  await trust(keyFile('acme'));
  await pack('install', await build({}, THRESHOLDS), '--yes');
  const [kept = ''] = readdirSync(join(dataDir, 'packs')).filter((name) => name.endsWith('.pack'));
  truncateSync(join(dataDir, 'packs', kept), 400);
  {
    await using service = await startService(dataDir);
    expect(await decisionOf(service)).toBe('allow');
    expect((await readiness(service)).notices).toEqual([
      expect.stringContaining('The pack acme-bank 1 cannot be used: it is'),
    ]);
    expect(await packsOf(service)).toMatchObject([{ state: 'unusable', expires_at: null }]);
  }
  rmSync(join(dataDir, 'packs', kept));
  await using service = await startService(dataDir);
  expect((await readiness(service)).notices).toEqual(['The pack acme-bank 1 cannot be used: it does not exist.']);
  await pack('rollback');
  await untilSeen('the pack is gone', async () => (await packsOf(service)).length === 0);
});

describe('a drop folder', () => {
  test('is read at SIGHUP: the latest trusted version is installed, and each refusal is logged once', async () => {
    await using directory = temporaryDirectory();
    const { folder, dataDir, pack, keyFile, build, trust, inForce } = packDesk(directory.path);
    const drop = join(folder, 'drop');
    mkdirSync(drop);
    await trust(keyFile('acme'));
    keyFile('stranger');
    const put = (file: string, as: string) => copyFileSync(file, join(drop, as));
    await using service = await startService(dataDir, ['--pack-dir', drop]);
    const refusals = () => service.events().filter(({ event }) => event === 'pack.refused');
    put(await build({}, THRESHOLDS), '1.pack');
    put(await build({ version: 3 }, THRESHOLDS), '3.pack');
    put(await build({ version: 2 }, THRESHOLDS), '2.pack');
    put(await build({ version: 9 }, THRESHOLDS, 'stranger'), '9.pack');
    const forged = readFileSync(join(drop, '3.pack'), 'latin1').replace('"version":3', '"version":8');
    writeFileSync(join(drop, '8.pack'), forged, 'latin1');
    writeFileSync(join(drop, 'notes.txt'), 'not looked at');
    await reload(service);
    expect(await inForce()).toEqual(['acme-bank 3']);
    await untilSeen('the pack judges', async () => (await decisionOf(service)) === 'warn');
    expect(refusals().map(({ file, code }) => [file, code])).toEqual([
      ['8.pack', 'forged'],
      ['9.pack', 'unknown_key'],
    ]);
    await reload(service);
    expect(refusals()).toHaveLength(2);
    expect(await readiness(service)).toMatchObject({
      state: 'degraded',
      detail: '2 files of the drop folder are refused.',
    });
    const doctor = await lurecheck(['doctor', '--data-dir', dataDir, '--pack-dir', drop, '--network', 'none']);
    expect(doctor.stdout).toContain('8.pack');
    expect(doctor.stdout).toContain('9.pack');
    // What was taken back does not come again by itself.
    await pack('rollback');
    await reload(service);
    expect(await inForce()).toEqual([]);
    put(await build({ version: 4 }, THRESHOLDS), '4.pack');
    await reload(service);
    expect(await inForce()).toEqual(['acme-bank 4']);
    const audit = await lurecheck(['audit', 'show', '--format', 'ndjson', '--data-dir', dataDir]);
    const entries = audit.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const installed = entries.filter(({ action }) => action === 'pack.install');
    expect(installed).toMatchObject([
      { by: { service: 'pack_dir' }, subject: 'acme-bank', detail: { version: 3, file: '3.pack' } },
      { by: { service: 'pack_dir' }, subject: 'acme-bank', detail: { version: 4, file: '4.pack' } },
    ]);
    // Nothing is installed that is not on record, and that is told once.
    const failures = () => service.events().filter(({ event }) => event === 'pack.look_failed');
    rmSync(join(dataDir, 'audit.head'));
    put(await build({ version: 5 }, THRESHOLDS), '5.pack');
    await reload(service);
    await reload(service);
    expect(await inForce()).toEqual(['acme-bank 4']);
    expect(failures()).toMatchObject([{ problems: [expect.stringContaining('audit.log is damaged')] }]);
  });

  test('installs nothing that conflicts with the settings', async () => {
    await using directory = temporaryDirectory();
    const { folder, dataDir, keyFile, build, trust, inForce } = packDesk(directory.path);
    const drop = join(folder, 'drop');
    mkdirSync(drop);
    await trust(keyFile('acme'));
    copyFileSync(await build({}, { 'thresholds.json': '{"warn": 0.1, "block": 0.6}' }), join(drop, 'a.pack'));
    await using service = await startService(dataDir, ['--pack-dir', drop, '--warn-threshold', '0.7']);
    await reload(service);
    expect(await inForce()).toEqual([]);
    const [refused] = service.events().filter(({ event }) => event === 'pack.refused');
    expect(refused).toMatchObject({ file: 'a.pack', code: 'unusable' });
    expect(refused?.['message']).toContain('with the settings, warn_threshold is 0.7');
  });

  test('follows a publisher from key to key, in one reload', async () => {
    await using directory = temporaryDirectory();
    const { folder, dataDir, keyFile, build, trust, inForce } = packDesk(directory.path);
    const drop = join(folder, 'drop');
    mkdirSync(drop);
    await trust(keyFile('acme'));
    keyFile('next');
    const nextKey = { 'next-key.pem': readFileSync(join(folder, 'next.pem'), 'utf8') };
    copyFileSync(await build({ version: 2 }, THRESHOLDS, 'next'), join(drop, 'a.pack'));
    copyFileSync(await build({ version: 1 }, { ...THRESHOLDS, ...nextKey }), join(drop, 'b.pack'));
    await using service = await startService(dataDir, ['--pack-dir', drop]);
    await reload(service);
    expect(await inForce()).toEqual(['acme-bank 2']);
    expect(service.events().filter(({ event }) => event === 'pack.refused')).toEqual([]);
  });
});

const LISTED = 'http://listed.example/';

test('the lists of a pack decide alone until it expires, and are one signal among others afterwards', async () => {
  await using directory = temporaryDirectory();
  const { dataDir, pack, keyFile, build, trust } = packDesk(directory.path);
  await trust(keyFile('acme'));
  await using service = await startService(dataDir);
  // Of one list nothing is left that has not expired.
  const files = {
    'lists/block/phishing.txt': 'listed.example\n',
    'lists/block/short.csv': 'value,expiration\nshort.example,2020-01-01\n',
  };
  await pack('install', await build({}, files), '--yes');
  await untilSeen('the list decides', async () => (await decisionOf(service, LISTED)) === 'block');
  writeFileSync(join(dataDir, 'packs/clock.json'), '{"newest": "2100-06-01T00:00:00.000Z"}\n');
  await reload(service);
  await untilSeen('the list is one sign', async () => (await decisionOf(service, LISTED)) !== 'block');
  const { analysis_details: details } = await service.result(LISTED);
  expect(details.reasons.map(({ component }) => component)).toContain('lists');
  const { stdout: audit } = await lurecheck(['audit', 'show', '--data-dir', dataDir, '--format', 'ndjson']);
  const entries = audit
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(entries.filter(({ action }) => action === 'pack.expire')).toMatchObject([
    { by: { service: 'packs' }, subject: 'acme-bank', detail: { version: 1 } },
  ]);
});

test('a drop folder refuses files that are not packs, and ignores a newer format next to a readable pack', async () => {
  await using directory = temporaryDirectory();
  const { folder, dataDir, keyFile, build, trust, inForce } = packDesk(directory.path);
  const drop = join(folder, 'drop');
  mkdirSync(join(drop, 'folder.pack'), { recursive: true });
  await trust(keyFile('acme'));
  Bun.spawnSync(['mkfifo', join(drop, 'pipe.pack')]);
  writeFileSync(join(drop, 'huge.pack'), '');
  truncateSync(join(drop, 'huge.pack'), 2 ** 30);
  copyFileSync(await build({}, THRESHOLDS), join(drop, 'acme-1.pack'));
  writeFileSync(join(drop, 'acme-1.2.pack'), 'lurecheck pack 2\n');
  writeFileSync(join(drop, 'alone.2.pack'), 'lurecheck pack 2\n');
  await using service = await startService(dataDir, ['--pack-dir', drop]);
  await reload(service);
  expect(await inForce()).toEqual(['acme-bank 1']);
  const refused = service.events().filter(({ event }) => event === 'pack.refused');
  expect(refused.map(({ file, code }) => `${file} ${code}`)).toEqual([
    'alone.2.pack newer_format',
    'folder.pack not_a_pack',
    'huge.pack not_a_pack',
    'pipe.pack not_a_pack',
  ]);
});
