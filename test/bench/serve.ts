/**
 * `bun run bench`: checks a second of the compiled executable, without a network and with the durable record, as a ratio
 * to a bare `Bun.serve` in the same run; and the cold start to the first answer, as a ratio to `lurecheck version`.
 * The processor time a request is the steadier figure: requests a second also tell of the disk, and of what else runs.
 */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executable } from '#test/support/executable.ts';
import { runLoad } from './http-load.ts';

const ROUNDS = 5;
const REQUESTS = 20_000;
const CONNECTIONS = 64;
const STARTS = 20;
const PATH = '/api/check-url';

const HOSTS = ['example.com', 'shop.example.co.uk', 'login-account-verify.example.top', 'user.github.io', '192.0.2.7'];
const body = (n: number) =>
  JSON.stringify({ url: `https://${HOSTS[n % HOSTS.length]}/some/path/${n}?q=${n * 7}`, private_mode: false });

const program = await executable();
const folder = join(tmpdir(), `lurecheck-bench-${process.pid}`);
await Bun.$`mkdir -p ${folder}`.quiet();

interface Running extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

async function start(command: readonly string[]): Promise<Running> {
  const child = Bun.spawn([...command], { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit', env: {} });
  const lines = child.stdout.getReader();
  const { value } = await lines.read();
  const url = /"url":"([^"]+)"/.exec(new TextDecoder().decode(value))?.[1];
  if (url === undefined) throw new Error(`${command.join(' ')} does not serve`);
  // What it prints must be read, or the pipe would fill and stop it.
  const drained = (async () => {
    while (!(await lines.read()).done);
  })();
  return {
    url,
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await Promise.all([child.exited, drained]);
    },
  };
}

const serve = (dataDir: string) =>
  start([program, 'serve', '--listen', '127.0.0.1:0', '--network', 'none', '--rate-limit', '0', '--data-dir', dataDir]);

const post = async (url: string) =>
  await (await fetch(url + PATH, { method: 'POST', headers: JSON_TYPE, body: body(0) })).text();
const JSON_TYPE = { 'content-type': 'application/json' };

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const say = (line: string) => process.stdout.write(`${line}\n`);

async function residentMiB(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** Processor time of all threads of a process so far; Linux counts it in hundredths of a second (USER_HZ). */
async function cpuSeconds(pid: number): Promise<number> {
  const [, fields = ''] = (await Bun.file(`/proc/${pid}/stat`).text()).split(') ');
  const [userTicks, systemTicks] = fields.split(' ').slice(11, 13);
  return (Number(userTicks) + Number(systemTicks)) / 100;
}

async function compareThroughput(): Promise<void> {
  await using checked = await serve(join(folder, 'load'));
  const answerFile = join(folder, 'answer.json');
  await Bun.write(answerFile, await post(checked.url));
  await using bare = await start([process.execPath, join(import.meta.dir, 'bare-server.ts'), answerFile]);
  const load = async ({ url, pid }: Running) => {
    const before = await cpuSeconds(pid);
    const port = Number(new URL(url).port);
    const result = await runLoad({ port, path: PATH, connections: CONNECTIONS, requests: REQUESTS, body });
    return { ...result, cpuMicros: ((await cpuSeconds(pid)) - before) * (1e6 / REQUESTS) };
  };
  // Both in turn, so that a noisy moment of the machine hits both; the first round warms up.
  const rounds: { bare: Awaited<ReturnType<typeof load>>; checked: Awaited<ReturnType<typeof load>> }[] = [];
  for (let i = 0; i <= ROUNDS; i++) {
    const round = { bare: await load(bare), checked: await load(checked) };
    if (i > 0) rounds.push(round);
  }
  const of = (name: 'bare' | 'checked') => ({
    perSecond: median(rounds.map((round) => round[name].requestsPerSecond)),
    p50: median(rounds.map((round) => round[name].p50Ms)),
    p99: median(rounds.map((round) => round[name].p99Ms)),
    cpu: median(rounds.map((round) => round[name].cpuMicros)),
  });
  const row = (name: string, { perSecond, p50, p99, cpu }: ReturnType<typeof of>, mib: number) =>
    say(
      `${name.padEnd(16)} ${perSecond.toFixed(0).padStart(7)}/s  p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms  ${cpu.toFixed(0)} µs CPU a request  RSS ${mib.toFixed(0)} MiB`,
    );
  row('lurecheck serve', of('checked'), await residentMiB(checked.pid));
  row('bare Bun.serve', of('bare'), await residentMiB(bare.pid));
  say(
    `ratio ${median(rounds.map((round) => round.checked.requestsPerSecond / round.bare.requestsPerSecond)).toFixed(2)}`,
  );
}

async function compareStarts(): Promise<void> {
  const versions: number[] = [];
  const answers: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    let startedMs = performance.now();
    const child = Bun.spawn([program, 'version'], { stdio: ['ignore', 'ignore', 'ignore'], env: {} });
    await child.exited;
    versions.push(performance.now() - startedMs);
    startedMs = performance.now();
    await using service = await serve(join(folder, `start-${i}`));
    await post(service.url);
    answers.push(performance.now() - startedMs);
  }
  say(
    `first answer ${median(answers).toFixed(0)} ms, version ${median(versions).toFixed(0)} ms, ratio ${(median(answers) / median(versions)).toFixed(1)}`,
  );
}

try {
  await compareThroughput();
  await compareStarts();
} finally {
  await rm(folder, { recursive: true, force: true });
}
