import { type Static, Type } from '@sinclair/typebox';

const Count = Type.Integer({ minimum: 0 });

const Waits = Type.Object({ asked: Count, p99: Type.Number(), most: Type.Number() });

/** Processor time of the slowest input that a search found, as `test/bench/slow-input.ts` prints it. */
export const SlowestSchema = Type.Object({
  worst_url_ms: Type.Number(),
  worst_body_ms: Type.Number(),
  /** In the thread that parses and classifies pages. */
  worst_page_thread_ms: Type.Number(),
  worst_page_serving_ms: Type.Number(),
});

/** Figures of a soak, and the guarantees it found broken. */
export const SoakFiguresSchema = Type.Object({
  minutes: Type.Number(),
  seed: Type.Integer(),
  /** How often each fault happened. */
  faults: Type.Record(Type.String(), Count),
  lives: Count,
  clientAddresses: Count,
  /** Requests by outcome: a status, `left`, `cut`. */
  answers: Type.Record(Type.String(), Count),
  /** Checks that were answered with a verdict. */
  acknowledged: Count,
  /** Requests of clients that exceed their limit. */
  overLimit: Type.Object({ admitted: Count, refused: Count }),
  /** Latency of a client with one fast check at a time: alone, and beside six with 20 slow checks each. */
  waitMs: Type.Object({ alone: Type.Number(), beside: Type.Number() }),
  livezMs: Waits,
  /** Of a server without logic, at the same times. */
  bareMs: Type.Optional(Waits),
  rssMib: Type.Object({
    after: Type.Number(),
    most: Type.Number(),
    /** Of the last life; null if it was too short to measure. */
    growth: Type.Union([Type.Number(), Type.Null()]),
  }),
  openFiles: Type.Object({ before: Count, after: Count }),
  logged: Type.Object({ public: Count, private: Count, mib: Type.Number() }),
  /** Measured separately with the same source. */
  slowest: Type.Optional(SlowestSchema),
  /** Broken guarantees; empty if there are none. */
  violations: Type.Array(Type.String()),
});

export type SoakFigures = Static<typeof SoakFiguresSchema>;

/** Returns the figures as a table for the manual, under the command that measures them. */
export function soakTable(figures: SoakFigures): string {
  const { waitMs, rssMib, livezMs, bareMs, openFiles, faults, answers, overLimit, logged, slowest } = figures;
  const kinds = Object.entries(faults).map(([kind, count]) => `${count} × ${kind}`);
  const growth = rssMib.growth === null ? '' : `, ${signed(rssMib.growth)} MiB over the last life`;
  const otherFaults = Object.entries(answers).reduce(
    (sum, [told, count]) => sum + (/^5(?!03)/.test(told) ? count : 0),
    0,
  );
  const rows = [
    ['broken guarantees', group(figures.violations.length)],
    ['faults', kinds.join(', ')],
    ['client addresses', group(figures.clientAddresses)],
    ['answered checks, each in its log once', group(figures.acknowledged)],
    ['answers 503 with `Retry-After`; any other 5xx', `${group(answers['503'] ?? 0)}; ${group(otherFaults)}`],
    [
      `clients over their limit of 20 per minute, ${group(overLimit.admitted + overLimit.refused)} requests`,
      `${group(overLimit.admitted)} admitted`,
    ],
    [
      'latency of a client’s check, beside six clients with 20 slow checks each',
      `${(waitMs.beside / waitMs.alone).toFixed(2)} times the latency without them (${whole(waitMs.alone)} ms)`,
    ],
    ['`/livez`', `${group(livezMs.asked)} of ${group(livezMs.asked)} answered, ${worst(livezMs)}`],
    ...(bareMs ? [['the same requests to a server without logic', worst(bareMs)]] : []),
    ...(slowest ? slowestRows(slowest) : []),
    ['RSS after the soak', `${whole(rssMib.after)} MiB${growth}; ${whole(rssMib.most)} MiB at most`],
    ['open files before and after', `${openFiles.before} and ${openFiles.after}`],
    ['the two logs', `${whole(logged.mib)} MiB, intact`],
  ];
  const command = `bun run soak --minutes ${figures.minutes} --seed ${figures.seed} --json test/soak/figures.json`;
  const table = [['figure', `\`${command}\``], ['---', '---'], ...rows];
  return table.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function slowestRows(slowest: Static<typeof SlowestSchema>): string[][] {
  const { worst_url_ms: url, worst_body_ms: body, worst_page_thread_ms: page, worst_page_serving_ms: served } = slowest;
  return [
    ['slowest URL and body that a search found', `${url} and ${body} ms of processor time on the serving thread`],
    ['slowest page that a search found', `${served} ms on the serving thread, ${page} ms on a page thread`],
  ];
}

const group = (count: number) => count.toLocaleString('en');
const worst = ({ p99, most }: Static<typeof Waits>) => `p99 ${whole(p99)} ms, slowest ${whole(most)} ms`;
const whole = (amount: number) => amount.toFixed(0);
const signed = (amount: number) => `${amount < 0 ? '−' : '+'}${whole(Math.abs(amount))}`;
