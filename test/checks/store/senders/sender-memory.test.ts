import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { PAGE_BYTES } from '#src/checks/store/file/create-log.ts';
import { type OpenSenderMemory, openSenderMemory } from '#src/checks/store/senders/sender-memory.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { expectNothingToGenerate } from '../nothing-to-generate.ts';

const ANN = 'ann.correspondent@garden.example';

function opened(dataDir: string, options: Partial<OpenSenderMemory> = {}) {
  const time = { day: 20_000 };
  const failures: unknown[] = [];
  const memory = openSenderMemory({
    ...{ dataDir, key: () => Buffer.alloc(32, 7), days: () => 90 },
    clock: { now: () => time.day * DAY_MS },
    onFailure: (error) => void failures.push(error),
    ...options,
  });
  return {
    ...{ time, failures, memory, isKnown: memory.isKnown },
    /** Notes a sender on a day, and waits until it is written. */
    async note(address: string, day: number) {
      time.day = day;
      memory.note(address);
      await new Promise((resolve) => setTimeout(resolve, 0));
    },
    [Symbol.asyncDispose]: () => memory[Symbol.asyncDispose](),
  };
}

test('a sender of two earlier days is known, if the first was a week ago', async () => {
  await using directory = temporaryDirectory();
  await using senders = opened(directory.path);
  const known: boolean[] = [];
  for (const day of [20_000, 20_000, 20_003, 20_006, 20_007]) {
    await senders.note(ANN, day);
    known.push(senders.isKnown(ANN));
  }
  expect(known).toEqual([false, false, false, false, true]);
  expect(senders.isKnown('other@garden.example')).toBe(false);
});

test('many mails of one day are one day, and today is no earlier day', async () => {
  await using directory = temporaryDirectory();
  await using senders = opened(directory.path);
  for (let mail = 0; mail < 5; mail++) await senders.note(ANN, 20_000);
  await senders.note(ANN, 20_010);
  expect(senders.isKnown(ANN)).toBe(false);
  senders.time.day = 20_011;
  expect(senders.isKnown(ANN)).toBe(true);
});

test('a sender is forgotten that many days after its last mail', async () => {
  await using directory = temporaryDirectory();
  await using senders = opened(directory.path, { days: () => 30 });
  for (const day of [20_000, 20_007, 20_008]) await senders.note(ANN, day);
  senders.time.day = 20_038;
  expect(senders.isKnown(ANN)).toBe(true);
  senders.time.day = 20_039;
  expect(senders.isKnown(ANN)).toBe(false);
  await senders.note(ANN, 20_039);
  senders.time.day = 20_048;
  expect(senders.isKnown(ANN)).toBe(false);
});

test('the number of senders is bounded; those who wrote long ago leave first', async () => {
  await using directory = temporaryDirectory();
  await using senders = opened(directory.path, { most: 3 });
  for (const [at, name] of ['a', 'b', 'c'].entries())
    for (const day of [20_000, 20_010 + at]) await senders.note(`${name}@garden.example`, day);
  await senders.note('d@garden.example', 20_020);
  expect(['a', 'b', 'c'].map((name) => senders.isKnown(`${name}@garden.example`))).toEqual([false, true, true]);
});

test('the file outlives the process, and has no address', async () => {
  await using directory = temporaryDirectory();
  {
    await using senders = opened(directory.path);
    for (const day of [20_000, 20_001]) await senders.note(ANN, day);
  }
  for (const name of readdirSync(directory.path))
    expect(readFileSync(`${directory.path}/${name}`).includes('correspondent')).toBe(false);
  await using again = opened(directory.path);
  again.time.day = 20_009;
  expect(again.isKnown(ANN)).toBe(true);
  await using other = opened(directory.path, { key: () => Buffer.alloc(32, 8) });
  other.time.day = 20_009;
  expect(other.isKnown(ANN)).toBe(false);
});

test('where none are kept, there is no file, and an earlier one is removed', async () => {
  await using directory = temporaryDirectory();
  {
    await using senders = opened(directory.path);
    await senders.note(ANN, 20_000);
  }
  expect(existsSync(`${directory.path}/senders.sqlite`)).toBe(true);
  await using off = opened(directory.path, { days: () => 0 });
  await off.note(ANN, 20_000);
  expect([off.isKnown(ANN), readdirSync(directory.path)]).toEqual([false, []]);
});

test('a directory that cannot be used is reported, and no failure of a mail', async () => {
  await using directory = temporaryDirectory();
  await using senders = opened(`${directory.path}/none`);
  await senders.note(ANN, 20_000);
  expect([senders.isKnown(ANN), senders.failures.length]).toEqual([false, 1]);
});

test('drizzle-kit has nothing to generate for the schema of senders', async () => {
  await expectNothingToGenerate('senders/sender-schema.ts', 'senders');
});

test('a damaged file is set aside, whether it is found damaged at the start or later', async () => {
  await using directory = temporaryDirectory();
  const path = `${directory.path}/senders.sqlite`;
  const asideCount = () => readdirSync(directory.path).filter((name) => /\.damaged-[^-]*$/.test(name)).length;
  writeFileSync(path, 'no database');
  {
    await using senders = opened(directory.path);
    for (const day of [20_000, 20_007]) await senders.note(ANN, day);
    senders.time.day = 20_008;
    expect(senders.isKnown(ANN)).toBe(true);
    expect([senders.failures.length, asideCount()]).toEqual([0, 1]);
  }
  // The last page has the senders; the schema and the migrations are before it.
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xa5, bytes.length - PAGE_BYTES));
  await using senders = opened(directory.path);
  for (const day of [20_009, 20_010, 20_017, 20_018]) await senders.note(ANN, day);
  expect(senders.isKnown(ANN)).toBe(true);
  expect([senders.failures.length, asideCount()]).toEqual([1, 2]);
});
