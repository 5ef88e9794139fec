/** A language of the page: one file. */
export interface Language {
  /** Its own name for itself. */
  readonly name: string;
  /** Every sentence by its key; `{name}` is filled in. Keys that end in `.one`, `.few`, `.other` are plural forms. */
  readonly sentences: Readonly<Record<string, string>>;
  /** Reasons of the service by their code, where they read better than the English that the service sends. */
  readonly reasons: Readonly<Record<string, string>>;
}
