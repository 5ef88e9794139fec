import type { SoakFigures } from '#test/soak/figures.ts';
import type { FigureName } from './figures.ts';
import type { BenchReport } from './report.ts';

const SECOND_US = 1e6;
const DEFAULT_LOG_BYTES = 2e9;

/** What the figures of bench and soak mean for who buys a machine, as a list. Throws an Error where one was not measured. */
export function sizingText(bench: BenchReport, { rssMib, minutes }: SoakFigures): string {
  const median = (name: FigureName): number => {
    const measured = bench.figures[name];
    if (!measured) throw new Error(`the bench has not measured ${name}`);
    return measured.own.median;
  };
  const [requestUs, bytes] = [median('request'), median('disk')];
  const { cores, processor, runtime } = bench.machine;
  return [
    `- A check that looks at nothing takes ${Math.round(requestUs)} µs of a processor: ${round(SECOND_US / requestUs, 100)} a second of one core; ${round(median('throughput'), 100)} a second`,
    `  were answered over 64 connections, on ${cores} cores that did the asking, too.`,
    `- At 1,000 a second, half of the answers came within ${median('p50').toFixed(1)} ms, 99 in 100 within ${median('p99').toFixed(1)}.`,
    `- Memory: ${Math.round(median('memoryAtFirst'))} MiB after the first check, ${Math.round(median('memory'))} after ${bench.checks.toLocaleString('en')}; ${Math.round(rssMib.most)} at most in ${minutes} minutes among hostile sites and clients.`,
    `- A check without a network takes ${Math.round(bytes)} bytes of disk: ${(DEFAULT_LOG_BYTES / bytes / 1e6).toFixed(1)} million fit into the 2 GB of a log.`,
    `- The first answer comes ${Math.round(median('start'))} ms after the start.`,
    '',
    `Measured on ${bench.measuredAt.slice(0, 10)} with ${runtime} on ${cores} cores (${processor}), every check committed to disk before its answer: \`bun run bench\`, and`,
    '`bun run soak` for the hostile hour.',
  ].join('\n');
}

const round = (value: number, to: number): string => (Math.round(value / to) * to).toLocaleString('en');
