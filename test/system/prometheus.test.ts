import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { parseAs } from '#test/support/parse-as.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const VectorSchema = Type.Object({
  data: Type.Object({ result: Type.Array(Type.Object({ value: Type.Tuple([Type.Number(), Type.String()]) })) }),
});

test('promtool finds no error in the metrics', async () => {
  await using directory = temporaryDirectory();
  const flags = ['--admin-listen', '127.0.0.1:0', '--syslog', 'udp://127.0.0.1:9'];
  await using service = await startService(directory.path, flags);
  await service.result('https://example.com/');
  const text = await (await fetch(`${service.events()[0]?.['admin_url']}/metrics`)).bytes();
  const { stdout, stderr, exitCode } = Bun.spawnSync(['promtool', 'check', 'metrics'], { stdin: text });
  expect([`${stdout}${stderr}`, exitCode]).toEqual(['', 0]);
});

test('promtool finds no error in the alert rules', () => {
  const { stderr, exitCode } = Bun.spawnSync(['promtool', 'check', 'rules', '.ci/packaging/monitoring/alerts.yml']);
  expect([stderr.toString(), exitCode]).toEqual(['', 0]);
});

test('Prometheus scrapes the metrics and answers queries for them', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path, ['--admin-listen', '127.0.0.1:0']);
  for (const url of ['https://example.com/', 'https://example.org/']) await service.result(url);
  const target = new URL(String(service.events()[0]?.['admin_url'])).host;
  const config = join(directory.path, 'prometheus.yml');
  writeFileSync(
    config,
    `scrape_configs: [{job_name: box, scrape_interval: 100ms, scrape_timeout: 100ms, static_configs: [{targets: ['${target}']}]}]\n`,
  );
  await using prometheus = startPrometheus(config, join(directory.path, 'prometheus'));
  const value = await prometheus.ask('sum(lurecheck_checks_total{visibility="public"})');
  expect(value).toBe('2');
  expect(await prometheus.ask('lurecheck_build_info')).toBe('1');
});

/** Prometheus on a free port, until it is disposed of. */
function startPrometheus(config: string, dataDir: string) {
  const flags = ['--web.listen-address=127.0.0.1:0', `--config.file=${config}`, `--storage.tsdb.path=${dataDir}`];
  const log = `${dataDir}.log`;
  // What is told into a pipe that nobody reads to its end would stop it.
  const child = Bun.spawn(['prometheus', ...flags, '--log.format=json'], { stdout: 'ignore', stderr: Bun.file(log) });
  const address = once('Prometheus did not start', async () => {
    const line = (await Bun.file(log).text()).split('\n').find((one) => one.includes('"Listening on"'));
    return line && /"address":"([^"]+)"/.exec(line)?.[1];
  });
  return {
    /** The one value of a query, once there is one. */
    async ask(query: string): Promise<string> {
      const url = `http://${await address}/api/v1/query?${new URLSearchParams({ query })}`;
      return await once(`Prometheus never had ${query}`, async () => {
        const response = await fetch(url);
        // It listens before it has read its storage, and answers 503 until then.
        if (response.status === 503) return undefined;
        const { data } = parseAs(VectorSchema, await response.json());
        return data.result[0]?.value[1];
      });
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await child.exited;
    },
  };
}

/** What a look at another program brings, once it brings anything. */
async function once(failure: string, look: () => Promise<string | undefined>): Promise<string> {
  for (let tries = 0; tries < 300; tries++) {
    const found = await look();
    if (found !== undefined) return found;
    await Bun.sleep(100);
  }
  throw new Error(failure);
}
