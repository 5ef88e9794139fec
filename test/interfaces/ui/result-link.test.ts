import { expect, test } from 'bun:test';
import { deflateRawSync } from 'node:zlib';
import { packResult, unpackResult } from '#src/interfaces/ui/result/result-link.ts';
import { sampleResult } from './sample-result.ts';

const MIB = 1024 * 1024;

const linkOf = (text: string) => `${deflateRawSync(Buffer.from(text)).toString('base64url')}.c2lnbmF0dXJl`;

/** A result whose URL makes it so many bytes long. */
function resultOf(bytes: number): string {
  const frame = JSON.stringify({ ...sampleResult(), url: '' });
  return JSON.stringify({ ...sampleResult(), url: 'x'.repeat(bytes - Buffer.byteLength(frame)) });
}

test('a result is equal after packing into a link and unpacking', async () => {
  const result = sampleResult();
  expect(await unpackResult((await packResult(result, 'c2lnbmF0dXJl')) ?? '')).toEqual(result);
  expect(await unpackResult(linkOf(JSON.stringify(result)))).toEqual(result);
});

test('unpacks at most 256 KiB from a link', async () => {
  const most = resultOf(256 * 1024);
  expect(await unpackResult(linkOf(most))).toEqual(JSON.parse(most));
  expect(await unpackResult(linkOf(resultOf(256 * 1024 + 1)))).toBeNull();
  // As much as fits into a link, which would be 40 MiB.
  const bomb = linkOf(resultOf(40 * MIB));
  expect(bomb.length).toBeLessThan(64 * 1024);
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  for (let round = 0; round < 20; round++) expect(await unpackResult(bomb)).toBeNull();
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * MIB);
});

test('refuses a link longer than 64 KiB', async () => {
  const link = linkOf(JSON.stringify(sampleResult()));
  const padded = (length: number) => link + 'A'.repeat(length - link.length);
  expect(await unpackResult(padded(64 * 1024))).not.toBeNull();
  expect(await unpackResult(padded(64 * 1024 + 1))).toBeNull();
});
