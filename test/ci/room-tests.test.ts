import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { Glob } from 'bun';
import { hasTests, mapTests } from '../../.ci/mutation/room-tests.ts';
import { ROOMS } from '../support/layers.ts';

const ROOT = join(import.meta.dir, '../..');
const testsFor = await mapTests(ROOT);

test('every room with sources has tests that load them', () => {
  const sources = [...new Glob('src/**/*.ts').scanSync(ROOT)];
  const rooms = Object.keys(ROOMS).filter((room) => sources.some((path) => path.startsWith(`src/${room}/`)));
  expect(rooms.length).toBeGreaterThan(30);
  const isTested = (room: string) =>
    sources.some((path) => path.startsWith(`src/${room}/`) && hasTests(testsFor(path)));
  expect(rooms.filter((room) => !isTested(room))).toEqual([]);
});

test('a test that imports a source is its own, through helpers of tests as well', () => {
  expect(testsFor('src/core/base/addresses/client-address.ts').own).toContain(
    'test/service/server/client-address.test.ts',
  );
  expect(testsFor('src/service/server/app.ts').own).toContain('test/service/server/own-hosts.test.ts');
});

test('tests of the room are asked before those of its neighbours', () => {
  const { others } = testsFor('src/service/server/limiter/request-ceiling.ts');
  const isOfRoom = others.map((path) => path.startsWith('test/service/server/'));
  expect(isOfRoom).toEqual(isOfRoom.toSorted((a, b) => Number(b) - Number(a)));
  expect(others).toContain('test/service/server/limiter/local-limiter.test.ts');
});

test('tests of the executable are not asked, which is not built from the mutant', () => {
  const { own, others } = testsFor('src/service/server/app.ts');
  expect([...own, ...others].filter((path) => /^test\/(?:e2e|system)\//.test(path))).toEqual([]);
});

test('a test that imports types alone is not asked', () => {
  expect(testsFor('src/service/export/stix.ts').own).toEqual(['test/service/export/stix.test.ts']);
  // The same test imports the type of its subject.
  expect(testsFor('src/service/export/export-subject.ts').own).not.toContain('test/service/export/stix.test.ts');
});

test('a source that no test loads has none', () => {
  expect(testsFor('src/nothing/here.ts')).toEqual({ own: [], others: [] });
});
