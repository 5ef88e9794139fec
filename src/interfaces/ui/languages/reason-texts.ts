import type { ReasonCode, ReasonKey, ReasonWord } from '#src/checks/record/reasons/sentences.ts';

/** What can be said of every reason; `{name}` is one of its `args`. */
export interface ReasonTexts {
  /** Of each code, in a few words. */
  readonly headings: Readonly<Record<ReasonCode, string>>;
  /** The whole sentence. */
  readonly reasons: Readonly<Record<ReasonKey, string>>;
  /** Words of the analyzers that stand in `args`, each as the sentences of the language need it. */
  readonly words: Readonly<Record<ReasonWord, string>>;
}
