import { expect, test } from 'bun:test';
import {
  createRequestId,
  isRequestId,
  requestIdBytes,
  requestIdLowerBound,
  requestIdMs,
  requestIdText,
} from '#src/core/base/request-id.ts';

const IDS = 2000;
const NOW_MS = Date.UTC(2026, 0, 31, 12);

test('a request id is a UUIDv7 of its time', () => {
  const id = createRequestId(NOW_MS);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(NOW_MS);
});

test('each of the 74 free bits of a request id is random, neither constant nor sequential', () => {
  const ids = Array.from({ length: IDS }, () => BigInt(`0x${createRequestId(NOW_MS).replaceAll('-', '')}`));
  const isFree = (bit: number) => bit < 62 || (bit >= 64 && bit < 76);
  for (let bit = 0; bit < 80; bit++) {
    const share = ids.filter((id) => (id >> BigInt(bit)) & 1n).length / IDS;
    // Six standard deviations on either side of a half.
    if (isFree(bit)) expect(Math.abs(share - 0.5)).toBeLessThan(6 * Math.sqrt(0.25 / IDS));
    else expect([0, 1]).toContain(share);
  }
  expect(ids.toSorted((a, b) => (a < b ? -1 : 1))).not.toEqual(ids);
});

test('the bytes of a request id convert back, contain its time, and sort like its text', () => {
  const ids = Array.from({ length: IDS }, (_, i) => createRequestId(NOW_MS + (i % 7) * 1e9));
  for (const [i, id] of ids.entries()) {
    expect(requestIdText(requestIdBytes(id))).toBe(id);
    expect(requestIdMs(id)).toBe(NOW_MS + (i % 7) * 1e9);
    expect(id > requestIdLowerBound(requestIdMs(id))).toBe(true);
    expect(id < requestIdLowerBound(requestIdMs(id) + 1)).toBe(true);
  }
  const byBytes = ids.map(requestIdBytes).toSorted(Buffer.compare).map(requestIdText);
  expect(byBytes).toEqual(ids.toSorted());
});

test.each(['', 'x', createRequestId(NOW_MS).toUpperCase(), ` ${createRequestId(NOW_MS)}`])(
  '%j is not a request id',
  (text) => {
    expect(isRequestId(text)).toBe(false);
    expect(() => requestIdBytes(text)).toThrow('is not a request id');
  },
);
