import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changePackState, withPublisher } from '#src/admin/active/pack-state.ts';
import { perform } from '#src/admin/audit/act.ts';
import { SETTINGS } from '#src/app/config.ts';
import { openEngine, STORE_NONE } from '#src/app/engine.ts';
import { DAY_MS, systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { readSeal } from '#src/parts/packs/packs/open-pack.ts';
import { INSTALL_PACK, ROLL_BACK_PACKS } from '#src/parts/packs/updates/pack-acts.ts';
import { startInternet } from '#test/support/internet.ts';
import { ownPlace } from '#test/support/own-place.ts';
import { member, publisherKey, smallPack } from '#test/support/packs.ts';
import { PATIENT_SECONDS } from '#test/support/patience.ts';
import { rdapTable } from '#test/support/server-tables.ts';
import { targetOf } from '#test/support/target.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const NAMES = ['before.example', 'with.example', 'old.example', 'own.example', 'after.example'] as const;
const ACTOR = { service: 'packs' } as const;
const dayFromNow = (days: number) => new Date(systemClock.now() + days * DAY_MS).toISOString();

test('the engine asks the registry servers of a pack from the next check on, and the former after a rollback', async () => {
  await using directory = temporaryDirectory();
  await using internet = await startInternet(Object.fromEntries(NAMES.map((name) => [name, { scheme: 'http' }])));
  const { data_dir: dataDir, egress_ca } = {
    data_dir: join(directory.path, 'data'),
    egress_ca: join(directory.path, 'ca.pem'),
  };
  writeFileSync(egress_ca, internet.authority.pem);
  const [server] = internet.registries.rdap_server;
  const config = {
    ...{ ...defaultsOf(SETTINGS), ...internet.egress, data_dir: dataDir, egress_ca },
    ...{ registry_timeout_seconds: PATIENT_SECONDS, deadline_seconds: PATIENT_SECONDS },
  };
  const open = (settings = config) =>
    openEngine(settings, { store: STORE_NONE, logger: createLogger('error', () => {}) });
  await using engine = await open();
  const isAsked = async (name: (typeof NAMES)[number], by = engine) => {
    await by.check.check({
      target: targetOf(internet.url(name)),
      ...{
        visibility: 'public',
        client: 'test',
        requestId: '018f4a5e-0000-7000-8000-000000000000',
        via: 'api',
        startedAtMs: 0,
      },
    });
    return internet.visits.includes(`rdap ${name}`);
  };
  const key = publisherKey();
  const install = async (version: number, retrieved: string) => {
    const path = await smallPack(join(directory.path, `${version}.pack`), {
      ...{ key, about: { version, created: dayFromNow(0), expires: dayFromNow(9) } },
      members: [member('facts', 'facts/rdap-servers.json', rdapTable(retrieved, server?.server))],
    });
    const { signer } = await readSeal(path);
    if (signer === null) throw new Error('not signed');
    changePackState(dataDir, (state) => withPublisher(state, { ...signer, name: 'Acme', since: dayFromNow(-1) }));
    const place = { ...ownPlace(dataDir), settings: () => config };
    await perform(INSTALL_PACK, place, ACTOR, { file: path, mayBeOlder: false });
    await engine.reloadScoring();
  };
  expect(await isAsked('before.example')).toBe(false);
  await install(1, dayFromNow(0).slice(0, 10));
  expect(await isAsked('with.example')).toBe(true);
  await using restarted = await open({ ...config, rdap_server: [{ suffix: 'example', server: '' }] });
  expect(await isAsked('own.example', restarted)).toBe(false);
  await install(2, '2001-01-01');
  expect(await isAsked('old.example')).toBe(false);
  await perform(ROLL_BACK_PACKS, ownPlace(dataDir), ACTOR, null);
  await perform(ROLL_BACK_PACKS, ownPlace(dataDir), ACTOR, null);
  await engine.reloadScoring();
  expect(await isAsked('after.example')).toBe(false);
});
