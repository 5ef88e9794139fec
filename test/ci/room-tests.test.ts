import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { Glob } from 'bun';
import { selectTests } from '../../.ci/check.ts';
import { hasTests, mapTests } from '../../.ci/mutation/room-tests.ts';
import { ROOMS } from '../support/layers.ts';

const ROOT = join(import.meta.dir, '../..');
const testsFor = await mapTests(ROOT);
const testsOf = (source: string) => Object.values(testsFor(source)).flat();

test('every room with sources has tests that load them', () => {
  const sources = [...new Glob('src/**/*.ts').scanSync(ROOT)];
  const rooms = Object.keys(ROOMS).filter((room) => sources.some((path) => path.startsWith(`src/${room}/`)));
  expect(rooms.length).toBeGreaterThan(30);
  // Screens run in browsers alone, where the system tests use them.
  const isTested = (room: string) =>
    room === 'parts/console-screens' ||
    sources.some((path) => path.startsWith(`src/${room}/`) && hasTests(testsFor(path)));
  expect(rooms.filter((room) => !isTested(room))).toEqual([]);
});

test('a test that imports a source is its own test, also through test helpers', () => {
  expect(testsFor('src/core/base/addresses/client-address.ts').own).toContain(
    'test/service/server/client-address.test.ts',
  );
  expect(testsFor('src/service/server/app.ts').own).toContain('test/service/server/own-hosts.test.ts');
});

test('other tests that load a source are divided into those of its room and those of other rooms', () => {
  const { own, room, others } = testsFor('src/service/server/limiter/sliding-window.ts');
  expect(own).toContain('test/service/server/limiter/visits.test.ts');
  expect(room).toContain('test/service/server/limiter/local-limiter.test.ts');
  expect(room.filter((path) => !path.startsWith('test/service/server/'))).toEqual([]);
  expect(others.filter((path) => path.startsWith('test/service/server/'))).toEqual([]);
});

test('tests of the executable are excluded, because it is not built from the mutant', () => {
  expect(testsOf('src/service/server/app.ts').filter((path) => /^test\/(?:e2e|system)\//.test(path))).toEqual([]);
});

test('tests with their own database or limiter are included, because they run the source themselves', () => {
  const { staged } = testsFor('src/parts/postgres/read/read-database.ts');
  expect(staged).toContain('test/system/postgres/conformance.test.ts');
  expect(testsFor('src/parts/fleet/limiter/redis-windows.ts').staged).toContain('test/system/shared-limiter.test.ts');
});

test('settings have the tests of the documents that are generated from them', () => {
  expect(testsFor('src/checks/store/settings.ts').others).toContain('test/readme.test.ts');
});

test('the source of a thread has the tests of the module that starts it', () => {
  expect(testsOf('src/checks/store/upkeep/checkpoint-worker.ts')).toContain('test/checks/store/file-thread.test.ts');
});

test('a test that imports only types is excluded', () => {
  expect(testsFor('src/parts/export/stix.ts').own).toEqual(['test/parts/export/stix.test.ts']);
  // The same test imports the type of its subject.
  expect(testsFor('src/parts/export/export-subject.ts').own).not.toContain('test/parts/export/stix.test.ts');
});

test('a source that no test loads has no tests', () => {
  expect(testsFor('src/nothing/here.ts')).toEqual({ own: [], room: [], others: [], staged: [] });
});

test('the check of a change runs few tests: those of its rooms, and none that is slow or end-to-end', async () => {
  const tests = await selectTests([
    'src/engine/analyzers/page/shape-signals.ts',
    'src/engine/analyzers/page.ts',
    'src/engine/reasons/catalogue.ts',
    'src/core/languages/en.json',
    'src/engine/models/fusion.json',
    'test/engine/analyzers/page/signal-pages.ts',
  ]);
  expect(tests).toContain('test/engine/analyzers/page/signals.test.ts');
  expect(tests).toContain('test/engine/reasons/catalogue.test.ts');
  expect(tests.length).toBeLessThanOrEqual(25);
  expect(tests.filter((path) => /\.slow\.|^test\/(?:e2e|system)\//.test(path))).toEqual([]);
  expect(await selectTests(['src/checks/record/pack/pack-record.ts'])).toContain('test/checks/record/pack.test.ts');
});
