import type { ReasonWord } from '#src/engine/analyzers/index.ts';
import type { ReasonCode, ReasonKey } from '#src/engine/reasons/reason.ts';
import texts from '#src/engine/reasons/texts.json' with { type: 'json' };

/** Texts of every reason; `{name}` is one of its `args`. */
export interface ReasonTexts {
  /** Headings by code. */
  readonly headings: Readonly<Record<ReasonCode, string>>;
  /** The whole sentence. */
  readonly reasons: Readonly<Record<ReasonKey, string>>;
  /** Words of the analyzers in `args`, each in the form that the sentences of the language need. */
  readonly words: Readonly<Record<ReasonWord, string>>;
}

/** The BCP 47 tags of the languages that the file has. */
type Tag = keyof (typeof texts)['headings']['url.words'];

type InEachLanguage<Texts> = { readonly [Key in keyof Texts]: Readonly<Record<Tag, string>> };

/** Every text in every language: what is missing in the file is an error of types. */
const TEXTS: { readonly [Part in keyof ReasonTexts]: InEachLanguage<ReasonTexts[Part]> } = texts;

/** Returns the texts of one language. Called while the page is bundled, so that each reader loads those of one language. */
export function reasonTexts(tag: Tag): ReasonTexts {
  const { headings, reasons, words } = TEXTS;
  return { headings: inOne(headings, tag), reasons: inOne(reasons, tag), words: inOne(words, tag) };
}

function inOne<Key extends string>(texts: InEachLanguage<Record<Key, string>>, tag: Tag): Record<Key, string> {
  const said = Object.entries<Readonly<Record<Tag, string>>>(texts).map(([key, one]) => [key, one[tag]]);
  // Complete, because the type of the file is.
  return Object.fromEntries(said) as Record<Key, string>;
}
