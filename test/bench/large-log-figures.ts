import { type Static, Type } from '@sinclair/typebox';

/** Most checks that are exported. */
export const EXPORTED_CHECKS = 1_000_000;

const CommandSchema = Type.Object({
  seconds: Type.Number(),
  processorSeconds: Type.Number(),
  memoryMib: Type.Number(),
});

/** Cost of a command: its time, processor time, and most memory. */
export type CommandFigures = Static<typeof CommandSchema>;

/** Cost of one large log, as `bun run bench --large` writes it. */
export const LargeLogFiguresSchema = Type.Object({
  /** ISO 8601. */
  measuredAt: Type.String(),
  checks: Type.Integer(),
  bytesPerCheck: Type.Number(),
  /** Processor time of the service until it has answered a first check, in milliseconds. */
  startMs: Type.Number(),
  /** Processor time of the serving thread per answer: the first one, and the median of later ones, in milliseconds. */
  answers: Type.Record(Type.String(), Type.Object({ firstMs: Type.Number(), laterMs: Type.Number() })),
  /** 99 % of checks are answered within, in milliseconds: without and with an export, and with an erasure. */
  p99: Type.Object({ alone: Type.Number(), exporting: Type.Number(), erasing: Type.Number() }),
  /** Checks that the erasure removed, and the service's processor time for it. */
  erased: Type.Integer(),
  erasureSeconds: Type.Number(),
  exported: CommandSchema,
  backedUp: CommandSchema,
  verified: CommandSchema,
  restored: CommandSchema,
});

/** @see LargeLogFiguresSchema */
export type LargeLogFigures = Static<typeof LargeLogFiguresSchema>;

/** Returns the figures as Markdown for the manual. */
export function largeLogText(figures: LargeLogFigures): string {
  const { checks, bytesPerCheck, startMs, answers, p99, erased, exported, backedUp, verified, restored } = figures;
  const number = (value: number) => value.toLocaleString('en');
  const ms = (value: number) => value.toFixed(1);
  const seconds = ({ processorSeconds }: CommandFigures) => `${processorSeconds.toFixed(1)} s`;
  const of = Object.entries(answers).map(([name, { firstMs, laterMs }]) => `${name} ${ms(firstMs)} (${ms(laterMs)})`);
  return [
    `With ${number(checks)} checks of ${Math.round(bytesPerCheck)} bytes, in processor time: start ${Math.round(startMs)} ms. First (later) answers in ms:`,
    `${of.join(', ')}. Export of ${number(Math.min(checks, EXPORTED_CHECKS))} as CSV ${seconds(exported)} and`,
    `${exported.memoryMib.toFixed(0)} MiB, backup ${seconds(backedUp)}, verification ${seconds(verified)}, restore ${seconds(restored)}, erasure of ${number(erased)} ${figures.erasureSeconds.toFixed(0)} s. 99 % of checks took at`,
    `most ${ms(p99.alone)} ms, ${ms(p99.exporting)} ms beside the export, ${ms(p99.erasing)} ms beside the erasure (\`bun run bench --large\`, ${figures.measuredAt.slice(0, 10)}).`,
  ].join('\n');
}
