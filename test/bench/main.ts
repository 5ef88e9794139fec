import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { executable } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { comparisonTable } from './compare.ts';
import { checkedOut, thisMachine } from './machine.ts';
import { measureCommits } from './measure-commits.ts';
import { measureLists } from './measure-lists.ts';
import { measureNetwork } from './measure-network.ts';
import { measurePipe } from './measure-pipe.ts';
import { measureService } from './measure-service.ts';
import { canSlowDisk, measureSlowDisk } from './measure-slow-disk.ts';
import { measureStart } from './measure-start.ts';
import { buildOther } from './other-build.ts';
import { type Measure, measuresOf, PLAN_OPTIONS, planOf } from './plan.ts';
import { type BenchReport, summarized } from './report.ts';
import { createSampleSheet, type Subject } from './samples.ts';
import { reportTable } from './table.ts';

/**
 * `bun run bench [--only MEASURE] [--checks N] [--rounds N] [--json FILE]`: what the compiled executable costs, beside a bare server and
 * beside itself doing less; the README takes its table from the file. With `--against REF` another commit is built and
 * measured in the same rounds, and the two are compared instead. With `--fleet`, nodes with a PostgreSQL and a Redis are
 * measured instead, for the manual; with `--large [--checks N]`, one large log; with `--browser`, pages with a browser; with
 * `--peers`, other services.
 */
const ROOT = join(import.meta.dir, '../..');
const REPORT = join(import.meta.dir, 'bench.json');

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    browser: { type: 'boolean', default: false },
    fleet: { type: 'boolean', default: false },
    json: { type: 'string' },
    large: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    ...PLAN_OPTIONS,
  },
  strict: true,
});

if (values.fleet) {
  await import('./fleet.ts');
  process.exit();
}

if (values.browser) {
  await (await import('./browser.ts')).measureBrowser();
  process.exit();
}

if (values.peers) {
  await (await import('./peers.ts')).measurePeers(planOf(values));
  process.exit();
}

if (values.large) {
  const { measureLargeLog } = await import('./large-log.ts');
  await measureLargeLog(values.checks === undefined ? undefined : planOf(values).checks);
  process.exit();
}

const plan = planOf(values);
const measures = measuresOf(values.only);
await using folder = temporaryDirectory();
const programs = new Map<Subject, string>([['own', await executable()]]);
if (values.against !== undefined) programs.set('other', await buildOther(ROOT, values.against, folder.path));

const before = loadAverage();
const sheet = createSampleSheet();
if (measures.has('start')) await measureStart(programs, plan, folder.path, sheet);
if (measures.has('pipe')) await measurePipe(programs, plan, folder.path, sheet);
if (measures.has('network')) await measureNetwork(programs, plan, folder.path, sheet);
if (measures.has('log') && values.against === undefined) await measureCommits(plan.rounds, folder.path, sheet);
if (measures.has('lists')) await measureLists(plan, folder.path, sheet);
if (measures.has('slow-disk')) {
  if (canSlowDisk()) await measureSlowDisk(programs, plan, folder.path, sheet);
  else process.stdout.write('There is no cc on this machine: the rows of a slow disk are left out.\n\n');
}
const checks = needsService(measures) ? await measureService(programs, plan, measures, folder.path, sheet) : 0;

if (values.against !== undefined) {
  process.stdout.write(`${comparisonTable(sheet.samples, values.against)}\n`);
} else {
  const report: BenchReport = {
    measuredAt: new Date().toISOString(),
    ...(await checkedOut(ROOT)),
    machine: thisMachine(),
    loadAverage: { before, after: loadAverage() },
    rounds: plan.rounds,
    warmUps: plan.warmUps,
    checks,
    figures: summarized(sheet.samples),
  };
  // The README would lose its other rows.
  const file = values.json ?? (values.only === undefined ? REPORT : null);
  if (file !== null) await Bun.write(file, `${JSON.stringify(report, null, 2)}\n`);
  process.stdout.write(`${reportTable(report)}\n`);
}

function needsService(chosen: ReadonlySet<Measure>): boolean {
  return chosen.has('requests') || chosen.has('delays') || chosen.has('log');
}

function loadAverage(): number {
  return loadavg()[0] ?? Number.NaN;
}
