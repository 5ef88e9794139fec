import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { type Op, serveScript } from '#test/network/egress/script-server.ts';
import { executable } from '#test/support/executable.ts';
import { HANG_MS } from '#test/support/patience.ts';
import vectors from '#test/vectors/http-server.json' with { type: 'json' };

/** On four cores some 185 to 205 MiB were seen: each core has a thread for pages, and the collector runs when it may. */
const PEAK_MIB = 256;
const CHECKS_AT_A_TIME = 16;

test(`checks of all hostile servers, ${CHECKS_AT_A_TIME} at a time, stay below ${PEAK_MIB} MiB`, async () => {
  const scripts = new Map<string, readonly Op[]>(vectors.vectors.map(({ id, script }) => [`/${id}`, script]));
  await using server = await serveScript((path) => scripts.get(path.split('?')[0] ?? '') ?? [{ op: 'end' }]);
  const settings = {
    'egress-allow': '127.0.0.0/8',
    'egress-port': server.port,
    'connections-per-address': CHECKS_AT_A_TIME,
    'check-concurrency': CHECKS_AT_A_TIME,
    'deadline-seconds': 2,
    'probe-off': 'certificate',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const urls = vectors.vectors.map(({ id }) => `http://127.0.0.1:${server.port}/${id}\n`);
  const child = Bun.spawn([await executable(), 'check', '--format', 'ndjson', ...flags, '-'], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
    env: {},
    timeout: HANG_MS,
  });
  child.stdin.write(urls.join(''));
  child.stdin.flush();
  const answers = await linesOf(child.stdout, urls.length);
  const peakMib = peakMibOf(child.pid);
  child.stdin.end();
  expect(await child.exited).toBe(0);
  expect(answers).toBe(urls.length);
  expect(server.requests.length).toBeGreaterThan(urls.length / 2);
  expect(peakMib).toBeGreaterThan(10);
  expect(peakMib).toBeLessThan(PEAK_MIB);
});

/** Reads until there are so many lines, or the end; their number. */
async function linesOf(stream: ReadableStream<Uint8Array>, wanted: number): Promise<number> {
  let lines = 0;
  for await (const chunk of stream) {
    for (const byte of chunk) if (byte === 0x0a) lines++;
    if (lines >= wanted) break;
  }
  return lines;
}

/**
 * The most that a process had resident, as long as it runs. What is told of it once it has ended is at least what this
 * process had when it started it (getrusage(2) goes on over execve(2)).
 */
function peakMibOf(pid: number): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}
