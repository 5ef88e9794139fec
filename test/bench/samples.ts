import type { FigureName } from './figures.ts';

/** Who is measured: this checkout, another commit, and what both are compared with. */
export type Subject = 'own' | 'other' | 'reference';

/** The executables that are measured. */
export type Programs = ReadonlyMap<Subject, string>;

/** What was measured: the n-th values of a figure's subjects belong to one round. */
export type Samples = Readonly<Partial<Record<FigureName, Readonly<Partial<Record<Subject, readonly number[]>>>>>>;

/** Somewhere to put what is measured. */
export interface SampleSheet {
  add(figure: FigureName, subject: Subject, value: number): void;
  readonly samples: Samples;
}

/** An empty one. */
export function createSampleSheet(): SampleSheet {
  const samples: Partial<Record<FigureName, Partial<Record<Subject, number[]>>>> = {};
  return {
    samples,
    add(figure, subject, value) {
      const subjects = samples[figure] ?? {};
      samples[figure] = { ...subjects, [subject]: [...(subjects[subject] ?? []), value] };
    },
  };
}
