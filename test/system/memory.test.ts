import { expect, test } from 'bun:test';
import { type Op, serveScript } from '#test/egress/script-server.ts';
import { executable } from '#test/support/executable.ts';
import vectors from '#test/vectors/http-server.json' with { type: 'json' };

const PEAK_MIB = 200;
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
    stdin: new Blob(urls),
    stdout: 'pipe',
    stderr: 'inherit',
    env: {},
    timeout: 60_000,
  });
  const answers = (await child.stdout.text()).trimEnd().split('\n');
  expect(await child.exited).toBe(0);
  expect(answers.length).toBe(urls.length);
  expect(server.requests.length).toBeGreaterThan(urls.length / 2);
  const peakMib = (child.resourceUsage()?.maxRSS ?? Number.POSITIVE_INFINITY) / 1024 / 1024;
  expect(peakMib).toBeGreaterThan(10);
  expect(peakMib).toBeLessThan(PEAK_MIB);
}, 60_000);
