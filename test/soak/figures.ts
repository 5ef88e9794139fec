import { type Static, Type } from '@sinclair/typebox';

const Count = Type.Integer({ minimum: 0 });

const Waits = Type.Object({ asked: Count, p99: Type.Number(), most: Type.Number() });

/** What the worst input that a search found costs in processor time, as `test/bench/slow-input.ts` prints it. */
export const SlowestSchema = Type.Object({
  worst_url_ms: Type.Number(),
  worst_body_ms: Type.Number(),
  /** In the thread that reads and judges pages. */
  worst_page_thread_ms: Type.Number(),
  worst_page_serving_ms: Type.Number(),
});

/** What a soak measured, and what it found wanting. */
export const SoakFiguresSchema = Type.Object({
  minutes: Type.Number(),
  seed: Type.Integer(),
  /** How often each fault happened. */
  faults: Type.Record(Type.String(), Count),
  lives: Count,
  clientAddresses: Count,
  /** Requests by what they were told: a status, `left`, `cut`. */
  answers: Type.Record(Type.String(), Count),
  /** Checks that were answered with a verdict. */
  acknowledged: Count,
  /** Requests of clients that kept asking beyond their limit. */
  overLimit: Type.Object({ admitted: Count, refused: Count }),
  /** Of a client that asks for one good check at a time: alone, and beside six with 20 slow checks each. */
  waitMs: Type.Object({ alone: Type.Number(), beside: Type.Number() }),
  livezMs: Waits,
  /** Of a server that does nothing, at the same times. */
  bareMs: Type.Optional(Waits),
  rssMib: Type.Object({
    after: Type.Number(),
    most: Type.Number(),
    /** Of the last life; null where it was too short to tell. */
    growth: Type.Union([Type.Number(), Type.Null()]),
  }),
  openFiles: Type.Object({ before: Count, after: Count }),
  logged: Type.Object({ public: Count, private: Count, mib: Type.Number() }),
  /** Of the same executable's code, measured apart. */
  slowest: Type.Optional(SlowestSchema),
  /** Whatever was not as it should be; empty where all was. */
  violations: Type.Array(Type.String()),
});

export type SoakFigures = Static<typeof SoakFiguresSchema>;

/** The figures as a table for the README, under the command that measures them. */
export function soakTable(figures: SoakFigures): string {
  const { waitMs, rssMib, livezMs, bareMs, openFiles, faults, answers, overLimit, logged, slowest } = figures;
  const kinds = Object.entries(faults).map(([kind, count]) => `${count} × ${kind}`);
  const growth = rssMib.growth === null ? '' : `, ${signed(rssMib.growth)} MiB over the last life`;
  const otherFaults = Object.entries(answers).reduce(
    (sum, [told, count]) => sum + (/^5(?!03)/.test(told) ? count : 0),
    0,
  );
  const rows = [
    ['promises broken', group(figures.violations.length)],
    ['faults', kinds.join(', ')],
    ['client addresses', group(figures.clientAddresses)],
    ['checks answered, each of them in its log once', group(figures.acknowledged)],
    ['told 503, with when to come again; any other 5xx', `${group(answers['503'] ?? 0)}; ${group(otherFaults)}`],
    [
      `of clients that asked ${overLimit.admitted + overLimit.refused} times, with a limit of 20 a minute`,
      `${group(overLimit.admitted)} admitted`,
    ],
    [
      'another client’s check, beside six clients with 20 slow checks each',
      `${(waitMs.beside / waitMs.alone).toFixed(2)} times as long as alone (${whole(waitMs.alone)} ms)`,
    ],
    ['`/livez`', `${group(livezMs.asked)} of ${group(livezMs.asked)} answered, ${worst(livezMs)}`],
    ...(bareMs ? [['a server that does nothing, asked at the same times', worst(bareMs)]] : []),
    ...(slowest ? slowestRows(slowest) : []),
    ['RSS after the soak', `${whole(rssMib.after)} MiB${growth}; ${whole(rssMib.most)} MiB at most`],
    ['open files before and after', `${openFiles.before} and ${openFiles.after}`],
    ['the two logs', `${whole(logged.mib)} MiB, sound`],
  ];
  const command = `bun run soak --minutes ${figures.minutes} --seed ${figures.seed} --json test/soak/figures.json`;
  return [`| \`${command}\` | |`, '|---|---|', ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
}

function slowestRows(slowest: Static<typeof SlowestSchema>): string[][] {
  const { worst_url_ms: url, worst_body_ms: body, worst_page_thread_ms: page, worst_page_serving_ms: served } = slowest;
  return [
    ['worst URL and worst body that a search finds', `${url} and ${body} ms of processor time on the serving thread`],
    ['worst page that a search finds', `${served} ms on the serving thread, ${page} ms on one that reads pages`],
  ];
}

const group = (count: number) => count.toLocaleString('en');
const worst = ({ p99, most }: Static<typeof Waits>) => `p99 ${whole(p99)} ms, slowest ${whole(most)} ms`;
const whole = (amount: number) => amount.toFixed(0);
const signed = (amount: number) => `${amount < 0 ? '−' : '+'}${whole(Math.abs(amount))}`;
