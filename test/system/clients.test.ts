import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cp, mkdir, rename } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

// Programs in five languages, each of which knows the service by what a generator made of its description alone.

const CHECKED = 'http://paypal-login.verify-account-secure.cyou/signin/index.php';
const JACKSON = ['annotations', 'core', 'databind'].map((part) => `/usr/share/java/jackson-${part}.jar`);

const opened = new AsyncDisposableStack();
const { path: place } = opened.use(temporaryDirectory());
const service = opened.use(await startService(opened.use(temporaryDirectory()).path));
afterAll(() => opened.disposeAsync());

/** Runs a command where the clients are, and gives what it printed. */
async function run(
  command: readonly string[],
  folder = '.',
  environment: Record<string, string> = {},
): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd: join(place, folder),
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed: ${stdout}${stderr}`);
  return stdout;
}

const bunx = (...command: string[]) => run([process.execPath, 'x', ...command]);

/** What a program of a generated client is to tell of the check and of a refusal. */
async function told(): Promise<unknown[]> {
  const { malicious_probability, decision, analysis_details } = await service.result(CHECKED);
  return [malicious_probability, decision, analysis_details.dns_records.status, 0, 'unsupported_scheme'];
}

/** The types of one named schema in a language; quicktype makes one program of each. */
async function quicktype(language: string, schema: string, out: string, ...options: string[]): Promise<void> {
  await mkdir(join(place, out, '..'), { recursive: true });
  const source = ['--src-lang', 'schema', '--src', `openapi.json#/components/schemas/${schema}`];
  await bunx('quicktype', ...source, '--lang', language, '--top-level', schema, '--out', out, ...options);
}

beforeAll(async () => {
  await cp('test/system/clients', place, { recursive: true });
  await run([process.execPath, 'install', '--frozen-lockfile']);
  await Bun.write(join(place, 'openapi.json'), await (await fetch(`${service.url}/openapi.json`)).text());
});

test('openapi-typescript with openapi-fetch, hey-api and orval generate clients that compile and read the answers', async () => {
  await bunx('openapi-typescript', 'openapi.json', '--output', 'generated/schema.d.ts');
  await bunx('openapi-ts', '--input', 'openapi.json', '--output', 'generated/hey-api');
  const orval = {
    input: './openapi.json',
    output: { target: 'generated/orval.ts', client: 'fetch', baseUrl: service.url },
  };
  await Bun.write(join(place, 'orval.config.mjs'), `export default ${JSON.stringify({ lurecheck: orval })}`);
  await bunx('orval', '--config', 'orval.config.mjs');
  await bunx('tsc', '--project', '.');
  for (const program of ['by-openapi-fetch.ts', 'by-hey-api.ts', 'by-orval.ts']) {
    expect([program, JSON.parse(await run([process.execPath, program, service.url, CHECKED]))]).toEqual([
      program,
      await told(),
    ]);
  }
});

test('quicktype generates Python classes that read the answers', async () => {
  await quicktype('python', 'CheckResult', 'generated/check_result.py', '--python-version', '3.7');
  await quicktype('python', 'Problem', 'generated/problem.py', '--python-version', '3.7');
  expect(JSON.parse(await run(['python3', 'by_quicktype.py', service.url, CHECKED]))).toEqual(await told());
});

test('quicktype generates Go types that compile, have the names of the schemas, and read the answers', async () => {
  await quicktype('go', 'CheckResult', 'go/generated/check/result.go', '--package', 'check');
  await quicktype('go', 'Problem', 'go/generated/problem/problem.go', '--package', 'problem');
  await rename(join(place, 'by_quicktype.go'), join(place, 'go/main.go'));
  await Bun.write(join(place, 'go/go.mod'), 'module lurecheck\n\ngo 1.19\n');
  const here = { GOFLAGS: '-mod=mod', GOPROXY: 'off', GOCACHE: join(place, 'go-cache') };
  await run(['go', 'build', '-o', '../by-go', '.'], 'go', here);
  expect(JSON.parse(await run(['./by-go', service.url, CHECKED]))).toEqual(await told());
  const source = await Bun.file(join(place, 'go/generated/check/result.go')).text();
  const types = new Set(Array.from(source.matchAll(/^type (\w+) /gm), ([, name = '']) => name));
  expect(types.isSupersetOf(new Set(['AnalysisDetails', 'Reason', 'MailServer', 'HostParts', 'Timings']))).toBe(true);
  expect([...types].filter((name) => /Element$/.test(name))).toEqual([]);
});

test('quicktype generates Java classes that compile and read the answers', async () => {
  await quicktype('java', 'CheckResult', 'java/check/CheckResult.java', '--package', 'check');
  await quicktype('java', 'Problem', 'java/problem/Problem.java', '--package', 'problem');
  await rename(join(place, 'ByQuicktype.java'), join(place, 'java/ByQuicktype.java'));
  const sources = Array.from(new Bun.Glob('**/*.java').scanSync({ cwd: join(place, 'java'), absolute: true }));
  // Debian's Jackson declares an exception more than Jackson's own; quicktype writes for the latter.
  for (const converter of sources.filter((source) => source.endsWith('Converter.java'))) {
    const text = await Bun.file(converter).text();
    await Bun.write(converter, text.replace('throws JsonProcessingException', 'throws IOException'));
  }
  await run(['javac', '-cp', JACKSON.join(delimiter), '-d', 'classes', ...sources]);
  const classes = ['classes', ...JACKSON].join(delimiter);
  const answer: unknown[] = JSON.parse(await run(['java', '-cp', classes, 'ByQuicktype', service.url, CHECKED]));
  expect(answer).toEqual(await told());
});
