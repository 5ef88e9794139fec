import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createPublicKey } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changePackState, readPackState, withPublisher } from '#src/admin/active/pack-state.ts';
import { perform } from '#src/admin/audit/act.ts';
import { SETTINGS } from '#src/app/config.ts';
import { openEngine, STORE_NONE } from '#src/app/engine.ts';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { fingerprintOf } from '#src/core/base/public-key.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { createTurns } from '#src/core/base/turns.ts';
import fusion from '#src/engine/models/fusion.json' with { type: 'json' };
import lexicalPath from '#src/engine/models/lexical.bin' with { type: 'file' };
import { type ConsoleService, consoleActs, consolePlace } from '#src/parts/console/console-place.ts';
import { INSTALL_PACK } from '#src/parts/packs/updates/pack-acts.ts';
import { COMPARE_MODEL, USE_MODEL } from '#src/parts/tuning/model-changes/model-acts.ts';
import { repeatedLongestTurn } from '#test/support/longest-turn.ts';
import { ownPlace } from '#test/support/own-place.ts';
import { STRICT } from '#test/support/pack-desk.ts';
import { publisherKey, smallPack } from '#test/support/packs.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/** Longest time for which a request may wait for a comparison, in milliseconds of processor time. */
const LONGEST_MS = 50;

const CHECKS = 2000;

/** A service with many checks in its log, another model, and a pack with a model and a list of 50,000 entries. */
async function openService() {
  await using opened = new AsyncDisposableStack();
  const { path } = opened.use(temporaryDirectory());
  const dataDir = join(path, 'data');
  const logger = createLogger('error', () => {});
  const config = { ...defaultsOf(SETTINGS), data_dir: dataDir, network: 'none' as const };
  const log = opened.use(await openLocalLog({ dataDir, access: 'serve', clock: systemClock, logger }));
  const records = Array.from({ length: CHECKS }, (_, at) => sampleRecord({ url: `https://login-${at}.example/pay` }));
  await Promise.all(records.map((record) => log.append(record)));

  const folder = join(path, 'strict');
  mkdirSync(folder);
  cpSync(lexicalPath, join(folder, 'lexical.bin'));
  writeFileSync(join(folder, 'fusion.json'), JSON.stringify({ ...fusion, name: 'strict' }));
  const by = { service: 'test' };
  const strict = await perform(USE_MODEL, ownPlace(dataDir), by, { model: folder, folder });
  await perform(USE_MODEL, ownPlace(dataDir), by, { model: 'shipped', folder: null });

  const key = publisherKey();
  const publicKey = createPublicKey(key);
  const signer = {
    fingerprint: fingerprintOf(publicKey),
    key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
  changePackState(dataDir, (state) => withPublisher(state, { ...signer, name: 'Acme', since: '2026-01-01T00:00:00Z' }));
  const about = { created: new Date(systemClock.now() - 1000).toISOString(), expires: '2099-01-01T00:00:00.000Z' };
  const listed = Array.from({ length: 50_000 }, (_, at) => `blocked-${at}.example`).join('\n');
  const members = [
    ...Object.entries(STRICT).map(([name, content]) => ({ kind: 'model', name, content: Buffer.from(content) })),
    { kind: 'list', name: 'lists/block/acme.txt', content: Buffer.from(listed) },
  ];
  const pack = readFileSync(await smallPack(join(path, 'acme.pack'), { key, about, members }));
  const engine = opened.use(await openEngine(config, { store: STORE_NONE, logger }));
  const service: ConsoleService = {
    running: () => config,
    engine,
    log,
    change: (_, work) => work(),
    heavy: createTurns(),
    stopping: new AbortController().signal,
  };
  const closing = opened.move();
  return { service, strict: strict ?? '', pack, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

let world: Awaited<ReturnType<typeof openService>>;

beforeAll(async () => {
  world = await openService();
});
afterAll(() => world[Symbol.asyncDispose]());

test('a comparison of models does not block other requests', async () => {
  const { service, strict } = world;
  const { result, longestMs } = await repeatedLongestTurn(LONGEST_MS, () =>
    consoleActs(consolePlace(service), service.heavy).preview(COMPARE_MODEL, { model: strict, limit: CHECKS }),
  );
  expect(result.judged).toBe(CHECKS);
  expect(longestMs).toBeLessThan(LONGEST_MS);
});

test('a comparison stops at its limit, and concurrent comparisons run in turn', async () => {
  const { service, strict } = world;
  const { preview } = consoleActs(consolePlace(service), service.heavy);
  const both = await Promise.all([
    preview(COMPARE_MODEL, { model: strict, limit: 10 }),
    preview(COMPARE_MODEL, { model: 'shipped', limit: 20 }),
  ]);
  expect(both.map(({ judged }) => judged)).toEqual([10, 20]);
});

test('the preview of a pack with a model and a list changes nothing', async () => {
  const { service, pack } = world;
  const acts = consoleActs(consolePlace(service), service.heavy);
  const before = readPackState(acts.place.dataDir);
  async function* body() {
    for (let at = 0; at < pack.length; at += 65_536) yield pack.subarray(at, at + 65_536);
  }
  const result = await acts.preview(INSTALL_PACK, { file: body(), mayBeOlder: false });
  expect([result.rescored.judged, result.entries]).toEqual([CHECKS, 50_000]);
  expect(readPackState(acts.place.dataDir)).toEqual(before);
});
