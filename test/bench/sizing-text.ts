import type { SoakFigures } from '#test/soak/figures.ts';
import type { FigureName } from './figures.ts';
import type { BenchReport } from './report.ts';

const SECOND_US = 1e6;
const DEFAULT_LOG_BYTES = 2e9;

/** Returns the figures of bench and soak as a list for choosing hardware. Throws an Error if one was not measured. */
export function sizingText(bench: BenchReport, { rssMib, minutes }: SoakFigures): string {
  const median = (name: FigureName): number => {
    const measured = bench.figures[name];
    if (!measured) throw new Error(`the bench has not measured ${name}`);
    return measured.own.median;
  };
  const [requestUs, bytes] = [median('request'), median('disk')];
  const { cores, processor, runtime } = bench.machine;
  return [
    `- A check without network probes takes ${Math.round(requestUs)} µs of processor time: ${round(SECOND_US / requestUs, 100)} checks/s per core. Over 64 connections, the`,
    `  service answered ${round(median('throughput'), 100)} checks/s on ${cores} cores that also ran the load generator.`,
    `- Latency at 1,000 checks/s: p50 ${median('p50').toFixed(1)} ms, p99 ${median('p99').toFixed(1)} ms.`,
    `- Memory: ${Math.round(median('memoryAtFirst'))} MiB after the first check, ${Math.round(median('memory'))} MiB under load (median from half of ${bench.checks.toLocaleString('en')} checks on); at most ${Math.round(rssMib.most)} MiB in ${minutes} minutes of the resilience test.`,
    `- Disk: ${Math.round(bytes)} bytes per check without network probes; the 2 GB of a log hold ${(DEFAULT_LOG_BYTES / bytes / 1e6).toFixed(1)} million.`,
    `- Start: first answer after ${Math.round(median('start'))} ms.`,
    '',
    `Measured on ${bench.measuredAt.slice(0, 10)} with ${runtime} on ${cores} cores (${processor}), every check committed to disk before its answer:`,
    '`bun run bench`, and `bun run soak` for the resilience test.',
  ].join('\n');
}

const round = (value: number, to: number): string => (Math.round(value / to) * to).toLocaleString('en');
