import { expect, test } from 'bun:test';
import { type Op, serveScript } from '#test/egress/script-server.ts';
import vectors from '#test/vectors/http-server.json' with { type: 'json' };

const PEAK_MIB = 200;

test(`visits of all hostile servers, sixteen at a time, stay below ${PEAK_MIB} MiB`, async () => {
  const scripts = new Map<string, readonly Op[]>(vectors.vectors.map(({ id, script }) => [`/${id}`, script]));
  await using server = await serveScript((path) => scripts.get(path.split('?')[0] ?? '') ?? [{ op: 'end' }]);
  const ids = vectors.vectors.map(({ id }) => id);
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/memory-inside.ts`, String(server.port), ...ids], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
    timeout: 60_000,
  });
  const { visited, peakKiB } = (await child.stdout.json()) as { visited: number; peakKiB: number };
  expect(visited).toBe(ids.length);
  expect(peakKiB / 1024).toBeLessThan(PEAK_MIB);
}, 60_000);
