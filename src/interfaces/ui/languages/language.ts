import type english from '#src/core/languages/en.json';
import type { LanguageTag } from '#src/core/languages/languages.ts';

type English = typeof english;

/** Names a sentence of the page. */
export type SentenceKey = keyof English['page']['sentences'];

/** Names a sentence with a number in it, which is written in as many forms as its language has. */
export type PluralKey = { [Key in SentenceKey]: Key extends `${infer Stem}.other` ? Stem : never }[SentenceKey];

/** Names a sentence on mails. */
export type MailKey = keyof English['mail']['sentences'];

/** Names a sentence of the console. None of them counts, so that no language needs forms of a number. */
export type ConsoleKey = keyof English['console'];

/** Texts by their keys; `{name}` is filled in. */
export type Sentences = Readonly<Record<string, string>>;

/** The page in one language: its sentences, of which keys that end in `.one`, `.few`, `.other` are plural forms, and those of reasons. */
export type Language = Readonly<Record<keyof English['page'], Sentences>>;

/** Sections of a language that the browser loads apart, so that it has those alone that its reader needs. */
interface Sections {
  readonly page: Language;
  readonly mail: Readonly<Record<keyof English['mail'], Sentences>>;
  readonly console: Sentences;
}

/** Digest of all texts, which is a part of their addresses, so that they may be cached forever. The bundler of the page knows it. */
declare const TEXTS_DIGEST: string;

/** Loads a section of a language. Rejects if the service does not deliver it. */
export async function loadTexts<Name extends keyof Sections>(tag: LanguageTag, name: Name): Promise<Sections[Name]> {
  const response = await fetch(`assets/${tag}-${name}-${TEXTS_DIGEST}.json`);
  if (!response.ok) throw new TypeError(`the texts are missing: ${response.status}`);
  return (await response.json()) as Sections[Name];
}
