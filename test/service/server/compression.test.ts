import { expect, test } from 'bun:test';
import { brotliDecompressSync } from 'node:zlib';
import type { HistoryItem } from '#src/checks/record/history-page.ts';
import { sampleCheck } from '#test/support/sample-record.ts';
import { startServer } from './running-server.ts';

const DECODED: Readonly<Record<string, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array>> = {
  gzip: (bytes) => Bun.gunzipSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
  zstd: (bytes) => Bun.zstdDecompressSync(bytes),
};

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** A service with a history of 500 checks. */
function startBusy() {
  const items: HistoryItem[] = Array.from({ length: 500 }, (_, n) => {
    const { analysis_details: details, ...rest } = sampleCheck({ atMs: n * 1000 }).result;
    const { coverage, caution, via, decided_by, reasons, model_version } = details;
    return { ...rest, coverage, caution, via, decided_by, reasons, model_version };
  });
  return startServer({ history: () => Promise.resolve({ items, next_cursor: null }) });
}

async function ask(url: string, acceptEncoding: string, init: RequestInit = {}) {
  const headers = { 'Content-Type': 'application/json', 'Accept-Encoding': acceptEncoding };
  const response = await fetch(url, { ...init, headers, decompress: false });
  return {
    response,
    coding: response.headers.get('content-encoding'),
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
}

test('JSON of up to 1,024 characters is not compressed', async () => {
  const empty = JSON.stringify({ items: [], next_cursor: '' }).length;
  for (const [length, coding] of [
    [1024, null],
    [1025, 'gzip'],
  ] as const) {
    const next_cursor = 'x'.repeat(length - empty);
    await using server = startServer({ history: () => Promise.resolve({ items: [], next_cursor }) });
    const asked = await ask(`${server.url}/api/history`, 'gzip');
    expect([length, asked.coding, asked.response.headers.get('vary')]).toEqual([
      ...[length, coding],
      coding && 'accept-encoding',
    ]);
  }
});

test('JSON over 1 KiB is compressed in the coding that the client prefers, and decompresses to the same JSON', async () => {
  await using server = startBusy();
  for (const path of ['/api/history', '/swagger/json', '/openapi.json']) {
    const plain = await ask(`${server.url}${path}`, 'identity');
    expect([path, plain.coding, plain.response.headers.get('vary')]).toEqual([path, null, 'accept-encoding']);
    const asked = {
      gzip: 'gzip',
      br: 'br',
      zstd: 'zstd',
      'ZSTD;q=1, gzip;q=0.9': 'zstd',
      'br;q=0.2, gzip;q=0.3': 'gzip',
      'gzip, deflate, br, zstd': 'gzip',
      'gzip;q=0, br': 'br',
      'identity;q=0.1, zstd': 'zstd',
      deflate: null,
      '': null,
      'gzip;q=0': null,
      '*;q=0': null,
      'identity, gzip;q=0.5': null,
    };
    for (const [accepted, expected] of Object.entries(asked)) {
      const { response, coding, bytes } = await ask(`${server.url}${path}`, accepted);
      expect([path, accepted, response.status, coding]).toEqual([path, accepted, 200, expected]);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(response.headers.get('vary')).toBe('accept-encoding');
      expect(response.headers.get('content-length')).toBe(String(bytes.length));
      expect(text(DECODED[coding ?? '']?.(bytes) ?? bytes)).toBe(text(plain.bytes));
      if (coding !== null) expect(bytes.length).toBeLessThan(plain.bytes.length / 3);
    }
  }
});

test('a check result is compressed, too, and HEAD has the headers of the compressed answer', async () => {
  await using server = startBusy();
  const body = JSON.stringify({ url: `http://example.com/${'a'.repeat(1000)}` });
  const { response, coding, bytes } = await ask(`${server.url}/api/check-url`, 'zstd', { method: 'POST', body });
  expect([coding, response.headers.get('vary')]).toEqual(['zstd', 'accept-encoding, accept']);
  expect(JSON.parse(text(Bun.zstdDecompressSync(bytes))).decision).toBe('allow');

  const [get, head] = [
    await ask(`${server.url}/api/history`, 'br'),
    await ask(`${server.url}/api/history`, 'br', { method: 'HEAD' }),
  ];
  expect([head.coding, head.bytes.length]).toEqual(['br', 0]);
  expect(head.response.headers.get('content-length')).toBe(get.response.headers.get('content-length'));
});

test('short JSON and event streams are not compressed', async () => {
  await using server = startServer();
  const body = JSON.stringify({ url: 'http://example.com/' });
  const answers = [
    await ask(`${server.url}/livez`, 'gzip'),
    await ask(`${server.url}/nothing`, 'gzip'),
    await ask(`${server.url}/api/check-url/stream`, 'gzip', { method: 'POST', body }),
  ];
  expect(answers.map(({ coding }) => coding)).toEqual([null, null, null]);
});
