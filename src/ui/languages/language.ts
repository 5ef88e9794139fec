/** Sentences of reasons by code, and kind where a code has several; `{name}` is one of the reason's `args`. */
export type Told = Readonly<Record<string, string>>;

/** A language of the page: one file, and one for its reasons. */
export interface Language {
  /** Every sentence by its key; `{name}` is filled in. Keys that end in `.one`, `.few`, `.other` are plural forms. */
  readonly sentences: Readonly<Record<string, string>>;
  /** Reasons of the service by their code, where they read better than the English that the service sends. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Whole sentences of reasons; what is not among them is said by `reasons` and the service's English. */
  readonly told: Told;
}
