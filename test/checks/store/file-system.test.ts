import { expect, test } from 'bun:test';
import { statfsSync } from 'node:fs';
import {
  freeDiskBytes,
  freeDiskPercent,
  missingDiskBytes,
  networkFileSystem,
} from '#src/checks/store/file/file-system.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const MIB = 2 ** 20;

test('free space is the space available to this user', async () => {
  await using directory = temporaryDirectory();
  const { bavail, blocks, bsize } = statfsSync(directory.path);
  // Others write at the same time.
  expect(Math.abs(freeDiskBytes(directory.path) - bavail * bsize)).toBeLessThan(256 * MIB);
  expect(Math.abs(freeDiskPercent(directory.path) - (100 * bavail) / blocks)).toBeLessThan(2);
  expect(Number.isInteger(freeDiskPercent(directory.path))).toBeTrue();
});

test('a file system without blocks, such as /proc, has no free space and lacks the minimum reserve', () => {
  expect([freeDiskPercent('/proc'), freeDiskBytes('/proc')]).toEqual([0, 0]);
  expect([1, 50].map((percent) => missingDiskBytes('/proc', percent))).toEqual([16 * MIB, 16 * MIB]);
  expect(missingDiskBytes('/proc', 0)).toBe(0);
});

test('the missing space is at most the reserve, which is at most 1 GiB', async () => {
  await using directory = temporaryDirectory();
  const free = freeDiskBytes(directory.path);
  for (const percent of [0, 1, 5, 50, 100]) {
    const missing = missingDiskBytes(directory.path, percent);
    expect(missing).toBe(free > 2 ** 31 ? 0 : missing);
    expect(missing).toBeGreaterThanOrEqual(0);
    expect(missing).toBeLessThanOrEqual(2 ** 30);
  }
});

test('a local folder is not on a network file system', async () => {
  await using directory = temporaryDirectory();
  expect([networkFileSystem(directory.path), networkFileSystem('/proc')]).toEqual([null, null]);
});
