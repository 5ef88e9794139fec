/**
 * `bun run bench --large [--checks N]`: the cost of a log of so many checks (5,000,000): start, answers, erasure, export,
 * backup and restore. Writes the figures beside itself and into the manual.
 */
import { mkdirSync, statSync } from 'node:fs';
import { DAY_MS, HOUR_MS } from '#src/core/base/clock.ts';
import { executable } from '#test/support/executable.ts';
import { peakRssBytes } from '#test/support/peak-memory.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { SIZING, withSizing } from '../../.ci/readme.ts';
import { connect } from './connection.ts';
import { fillHistory } from './fill-history.ts';
import { type CommandFigures, EXPORTED_CHECKS, type LargeLogFigures, largeLogText } from './large-log-figures.ts';
import { COMMON_DOMAIN, RARE_DOMAIN, urlOf } from './load-urls.ts';
import { firstThreadMicros, processMicros } from './process-figures.ts';
import { startProgram } from './running-server.ts';
import { quantileOf } from './statistics.ts';

const DEFAULT_CHECKS = 5_000_000;
const LATER = 10;

/** Checks per second beside other work, and seconds without it. */
const PER_SECOND = 100;
const ALONE_SECONDS = 10;

/** Checks before that are erased. */
const ERASED_DAYS_AGO = 59;

const MEMORY_EVERY_MS = 100;

const ANSWERS = {
  page: '/api/history?limit=50',
  blocked: '/api/history?limit=50&decision=block',
  'common suffix': `/api/history?limit=50&domain=${COMMON_DOMAIN}`,
  'rare site': `/api/history?limit=50&domain=${RARE_DOMAIN}`,
  'absent text': '/api/history?limit=50&q=absent',
  'its summary': '/api/history/summary?q=absent',
  statistics: '/api/stats',
};

/** Measures, and writes the figures. */
export async function measureLargeLog(checks = DEFAULT_CHECKS): Promise<void> {
  const program = await executable();
  await using directory = temporaryDirectory();
  const data = `${directory.path}/data`;
  mkdirSync(data, { mode: 0o700 });
  await fillHistory(data, checks);
  const bytesPerCheck = statSync(`${data}/public.sqlite`).size / checks;
  const run = (...args: string[]) => runCommand([program, ...args, '--data-dir', data]);
  const figures = await withService(program, data, run);
  const [backup, restored] = [`${directory.path}/one.backup`, `${directory.path}/restored`];
  const backedUp = await run('backup', 'create', backup);
  const verified = await run('backup', 'verify', backup);
  mkdirSync(restored, { mode: 0o700 });
  const restore = await runCommand([program, 'backup', 'restore', backup, '--foreign', '--data-dir', restored]);
  const measured: LargeLogFigures = {
    ...{ measuredAt: new Date().toISOString(), checks, bytesPerCheck },
    ...figures,
    ...{ backedUp, verified, restored: restore },
  };
  await Bun.write(new URL('large-log.json', import.meta.url), `${JSON.stringify(measured, null, 2)}\n`);
  await Bun.write(SIZING, await withSizing(await Bun.file(SIZING).text()));
  process.stdout.write(`${largeLogText(measured)}\n`);
}

type Run = (...args: string[]) => Promise<CommandFigures>;

async function withService(program: string, data: string, run: Run) {
  await using server = await startProgram(program, data);
  const { pid, port, url } = server;
  let asked = 0;
  const check = async () => {
    const connection = await connect(port);
    const before = performance.now();
    await connection.post('/api/check-url', JSON.stringify({ url: urlOf(asked++) }));
    connection.close();
    return performance.now() - before;
  };
  await check();
  const startMs = (await processMicros(pid)) / 1000;
  const answers: LargeLogFigures['answers'] = {};
  for (const [name, path] of Object.entries(ANSWERS)) {
    const costs: number[] = [];
    for (let time = 0; time <= LATER; time++) {
      const before = await firstThreadMicros(pid);
      const answer = await fetch(url + path);
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
      await answer.arrayBuffer();
      costs.push(((await firstThreadMicros(pid)) - before) / 1000);
    }
    const [firstMs = 0, ...later] = costs;
    answers[name] = { firstMs, laterMs: quantileOf(later, 0.5) };
  }
  const p99During = async (work: Promise<unknown>) => {
    let isOver = false;
    const ended = work.finally(() => (isOver = true));
    const delays: Promise<number>[] = [];
    while (!isOver) {
      delays.push(check());
      await Bun.sleep(1000 / PER_SECOND);
    }
    await ended;
    return quantileOf(await Promise.all(delays), 0.99);
  };
  const alone = await p99During(Bun.sleep(ALONE_SECONDS * 1000));
  const exporting = run(
    'log',
    'export',
    '--format',
    'csv',
    '--limit',
    String(EXPORTED_CHECKS),
    '--out',
    `${data}/../checks.csv`,
  );
  const exportingP99 = await p99During(exporting);
  const before = await processMicros(pid);
  // Of the first day: the log is of two months.
  const until = new Date(Math.floor((Date.now() - ERASED_DAYS_AGO * DAY_MS) / HOUR_MS) * HOUR_MS).toISOString();
  const erased = await countOf(`${url}/api/history/summary?until=${until}`);
  const erasing = await p99During(run('history', 'delete', '--before', until, '--yes'));
  return {
    ...{ startMs, answers, exported: await exporting, erased },
    erasureSeconds: ((await processMicros(pid)) - before) / 1e6,
    p99: { alone, exporting: exportingP99, erasing },
  };
}

async function countOf(url: string): Promise<number> {
  const summary = (await (await fetch(url)).json()) as { checks: Record<string, number> };
  return Object.values(summary.checks).reduce((sum, count) => sum + count, 0);
}

async function runCommand(command: string[]): Promise<CommandFigures> {
  const began = performance.now();
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe', env: {} });
  // What is counted for a child at its end includes what this process held when it started it.
  let memory = 0;
  const timer = setInterval(async () => {
    memory = Math.max(memory, await peakRssBytes(child.pid).catch(() => 0));
  }, MEMORY_EVERY_MS);
  const [said, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
  clearInterval(timer);
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${said}`);
  const usage = child.resourceUsage();
  return {
    seconds: (performance.now() - began) / 1000,
    processorSeconds: Number(usage?.cpuTime.total ?? 0) / 1e6,
    memoryMib: memory / 2 ** 20,
  };
}
