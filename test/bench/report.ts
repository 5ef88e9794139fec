import { type Static, Type } from '@sinclair/typebox';
import { FIGURES, isFigureName } from './figures.ts';
import { ratiosOf } from './ratio.ts';
import type { Samples } from './samples.ts';
import { spreadOf } from './statistics.ts';

/** A median with its interval. */
export const SpreadSchema = Type.Object({ median: Type.Number(), low: Type.Number(), high: Type.Number() });

const MeasuredSchema = Type.Object({
  own: SpreadSchema,
  reference: Type.Optional(SpreadSchema),
  ratio: Type.Optional(SpreadSchema),
});

/** Of what the bench ran on; whoever reads a figure sees whether the machine had other things to do. */
export const MachineSchema = Type.Object({
  cores: Type.Integer(),
  processor: Type.String(),
  memoryGib: Type.Number(),
  runtime: Type.String(),
});

/** What `bun run bench` leaves behind. */
export const BenchReportSchema = Type.Object({
  measuredAt: Type.String({ format: 'date-time' }),
  commit: Type.String(),
  /** Whether what was measured was the commit and something more. */
  isChanged: Type.Boolean(),
  machine: MachineSchema,
  /** The load average of a minute before and at the end. */
  loadAverage: Type.Object({ before: Type.Number(), after: Type.Number() }),
  rounds: Type.Integer(),
  warmUps: Type.Integer(),
  /** How many one service was asked in all. */
  checks: Type.Integer(),
  /** By name in `FIGURES`. */
  figures: Type.Record(Type.String(), MeasuredSchema),
});

export type BenchReport = Static<typeof BenchReportSchema>;

/** What the samples come to, figure by figure. */
export function summarized(samples: Samples): BenchReport['figures'] {
  const figures: BenchReport['figures'] = {};
  for (const [name, { own, reference }] of Object.entries(samples)) {
    if (!isFigureName(name) || own === undefined) continue;
    figures[name] = {
      own: spreadOf(own),
      ...(reference && { reference: spreadOf(reference), ratio: spreadOf(ratiosOf(FIGURES[name], own, reference)) }),
    };
  }
  return figures;
}
