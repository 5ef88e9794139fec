import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { PAGE_BYTES } from '#src/checks/store/file/create-log.ts';
import { addOwnPictures, keepOwnPictures, ownPictureName } from '#src/checks/store/pictures/own-picture.ts';
import { pictureFileIn } from '#src/checks/store/pictures/picture-path.ts';
import { openPictureStore, type PictureBounds } from '#src/checks/store/pictures/picture-store.ts';
import { removeOrphans } from '#src/checks/store/pictures/picture-upkeep.ts';
import { DAY_MS, HOUR_MS } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { filesWith } from '../files-of.ts';
import { expectNothingToGenerate } from '../nothing-to-generate.ts';
import { openLog } from '../open-log.ts';

const BOUNDS: PictureBounds = { days: 7, bytes: 1_000_000 };
const WORD = 'RIFFzx81qqtrace';

const pictureOf = (name: string, bytes = 20_000) => Buffer.from(`${WORD} ${name} `.repeat(bytes / 20));

function storeIn(dataDir: string, bounds = BOUNDS, freeBytes = () => 1024 ** 3) {
  let nowMs = 8 * DAY_MS;
  const clock = { now: () => nowMs, monotonicMs: () => nowMs };
  const warnings: string[] = [];
  const logger = createLogger('warn', (line) => warnings.push(line));
  const advance = (byMs: number) => {
    nowMs += byMs;
  };
  return { ...openPictureStore({ dataDir, bounds, clock, logger, freeBytes }), advance, warnings };
}

test('a picture is kept with its check alone, those of private checks apart', async () => {
  await using directory = temporaryDirectory();
  await using store = storeIn(directory.path);
  expect([store.find('a'), readdirSync(directory.path)]).toEqual([null, []]);
  store.hold('public', 'hash', pictureOf('open'));
  store.hold('private', 'hash', pictureOf('hidden'));
  for (const id of ['a', 'b']) store.store('public', id, 'hash');
  store.store('private', 'c', 'hash');
  store.store('public', 'd', 'another');
  expect(['a', 'b', 'c', 'd'].map((id) => store.find(id)?.visibility)).toEqual([
    'public',
    'public',
    'private',
    undefined,
  ]);
  expect(store.find('c')?.webp).toEqual(pictureOf('hidden'));
  expect([store.has('public', 'a'), store.has('private', 'a')]).toEqual([true, false]);
  expect(statSync(pictureFileIn(directory.path, 'private')).mode & 0o777).toBe(0o600);
});

test('a deleted check takes its picture with it, out of every file', async () => {
  await using directory = temporaryDirectory();
  const [first, second] = ['https://a.example/', 'https://b.example/'].map((url) => sampleRecord({ url }));
  await using store = storeIn(directory.path);
  await using log = await openLog(directory.path, { onRemoved: store.remove });
  for (const record of [first, second]) {
    if (!record) continue;
    await log.append(record);
    store.hold('public', record.result.url, pictureOf(record.result.url));
    store.store('public', record.result.request_id, record.result.url);
  }
  log.deletions.ask('public', { by: 'domain', wanted: 'a.example' });
  await log.deletions.finish('public');
  await store.bound();
  expect(store.ids('public')).toEqual([second?.result.request_id ?? '']);
  await store[Symbol.asyncDispose]();
  expect(filesWith(directory.path, `${WORD} https://a.example/`)).toEqual([]);
  expect(filesWith(directory.path, `${WORD} https://b.example/`)).toEqual(['pictures-public.sqlite']);
});

test('pictures leave one by one, and other work goes on between them', async () => {
  await using directory = temporaryDirectory();
  await using store = storeIn(directory.path, { days: 7, bytes: 100_000_000 });
  store.hold('public', 'hash', pictureOf('x', 200_000));
  const ids = Array.from({ length: 30 }, (_, at) => `check ${at}`);
  for (const id of ids) store.store('public', id, 'hash');
  const left: number[] = [];
  let isGone = false;
  const gone = store.remove('public', ids).then(() => {
    isGone = true;
  });
  left.push(store.ids('public').length);
  while (!isGone) {
    await new Promise(setImmediate);
    left.push(store.ids('public').length);
  }
  await gone;
  expect([left[0], left.at(-1)]).toEqual([30, 0]);
  expect(Math.max(...left.slice(1).map((count, at) => (left[at] ?? 0) - count))).toBeLessThanOrEqual(2);
  expect(statSync(pictureFileIn(directory.path, 'public')).size).toBeLessThan(200_000);
});

test('pictures whose checks a log has no more are removed as well, after an hour', async () => {
  await using directory = temporaryDirectory();
  await using store = storeIn(directory.path);
  await using log = await openLog(directory.path);
  const { visibility, result } = sampleRecord({});
  await log.append(sampleRecord({ result }));
  store.hold(visibility, 'hash', pictureOf('x'));
  for (const id of [result.request_id, 'gone']) store.store(visibility, id, 'hash');
  store.advance(HOUR_MS - 1);
  await removeOrphans(store, log);
  expect(store.ids(visibility).length).toBe(2);
  store.advance(1);
  await removeOrphans(store, log);
  expect(store.ids(visibility)).toEqual([result.request_id]);
});

test('a log that cannot be read, or whose checks are being copied back, keeps its pictures alone', async () => {
  await using directory = temporaryDirectory();
  await using store = storeIn(directory.path);
  for (const visibility of VISIBILITIES) {
    store.hold(visibility, 'hash', pictureOf('x'));
    store.store(visibility, `${visibility} check`, 'hash');
  }
  store.advance(HOUR_MS);
  const missing = (unreadable: Visibility) => async (visibility: Visibility, ids: readonly string[]) => {
    if (visibility === unreadable) throw new Error('permission denied');
    return ids;
  };
  // Not by `rejects`, which lets no thread answer while it waits.
  const failureWith = (unreadable: Visibility) => removeOrphans(store, { missing: missing(unreadable) }).catch(String);
  const marker = `${directory.path}/public.sqlite.damaged-20260131T120000Z.recovering`;
  writeFileSync(marker, '{}');
  await removeOrphans(store, { missing: async (_, ids) => ids });
  expect([store.ids('public').length, store.ids('private').length]).toEqual([1, 0]);
  rmSync(marker);
  expect(await failureWith('public')).toContain('permission denied');
  expect(store.ids('public').length).toBe(1);
  store.hold('private', 'other', pictureOf('x'));
  store.store('private', 'late', 'other');
  store.advance(HOUR_MS);
  expect(await failureWith('private')).toContain('permission denied');
  expect([store.ids('public').length, store.ids('private').length]).toEqual([0, 1]);
});

test('the oldest pictures go beyond the bounds, and none are kept at 0', async () => {
  await using directory = temporaryDirectory();
  const store = storeIn(directory.path);
  store.hold('public', 'hash', pictureOf('x', 100_000));
  for (let at = 0; at < 40; at++) {
    store.advance(1000);
    store.store('public', `check ${at}`, 'hash');
  }
  await store.bound();
  expect(store.ids('public').length).toBe(11);
  expect([store.has('public', 'check 0'), store.has('public', 'check 39')]).toEqual([false, true]);
  store.advance(8 * DAY_MS);
  await store.bound();
  expect(store.ids('public')).toEqual([]);
  store.hold('public', 'hash', pictureOf('x'));
  store.store('public', 'last', 'hash');
  await store[Symbol.asyncDispose]();
  await using off = storeIn(directory.path, { days: 0, bytes: 1 });
  await off.bound();
  expect([off.isOn, off.ids('public')]).toEqual([false, []]);
});

test('on a full disk the oldest pictures make room, and none is stored', async () => {
  await using directory = temporaryDirectory();
  let freeBytes = 64 * 1024 * 1024;
  await using store = storeIn(directory.path, BOUNDS, () => freeBytes);
  store.hold('public', 'hash', pictureOf('x', 100_000));
  for (const id of ['a', 'b', 'c', 'd']) {
    store.advance(1000);
    store.store('public', id, 'hash');
  }
  await store.bound();
  expect(store.ids('public').length).toBe(4);
  freeBytes = 32 * 1024 * 1024 - 150_000;
  store.store('public', 'e', 'hash');
  await store.bound();
  expect(store.ids('public').toSorted()).toEqual(['c', 'd']);
});

test('a file that cannot be used is logged, and no failure of a check', async () => {
  await using directory = temporaryDirectory();
  await using store = storeIn(`${directory.path}/none`);
  store.hold('public', 'hash', pictureOf('x'));
  store.store('public', 'a', 'hash');
  expect([store.find('a'), existsSync(`${directory.path}/none`)]).toEqual([null, false]);
  expect(store.warnings.join()).toContain('screenshot.failed');
});

test('a picture of an own page is found by its name, whatever the bounds are', async () => {
  await using directory = temporaryDirectory();
  await using store = storeIn(directory.path, { days: 0, bytes: 0 });
  const [one, other] = [pictureOf('one'), pictureOf('other')];
  await addOwnPictures(directory.path, new Map([one, other].map((file) => [ownPictureName(file), file])));
  await store.bound();
  expect(store.find(ownPictureName(one))).toEqual({ visibility: 'public', webp: one });
  keepOwnPictures(directory.path, new Set([ownPictureName(other), null]));
  expect([one, other].map((file) => store.find(ownPictureName(file))?.webp)).toEqual([undefined, other]);
  expect(store.find('own-/../../audit')).toBeNull();
});

test('drizzle-kit has nothing to generate for the schema of pictures', async () => {
  await expectNothingToGenerate('pictures/picture-schema.ts', 'pictures');
});

test('a damaged file is set aside, and later pictures are kept', async () => {
  await using directory = temporaryDirectory();
  const path = pictureFileIn(directory.path, 'public');
  const keep = (store: ReturnType<typeof storeIn>, id: string) => {
    store.hold('public', 'hash', pictureOf('open'));
    store.store('public', id, 'hash');
  };
  {
    await using store = storeIn(directory.path);
    keep(store, 'a');
  }
  // The schema and the migrations are in the first pages, the picture in the others.
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xa5, bytes.length - 2 * PAGE_BYTES));
  await using store = storeIn(directory.path);
  expect(store.find('a')).toBeNull();
  keep(store, 'b');
  keep(store, 'c');
  expect(store.find('c')?.webp).toEqual(pictureOf('open'));
  expect(readdirSync(directory.path).some((name) => name.includes('.damaged-'))).toBe(true);
});
