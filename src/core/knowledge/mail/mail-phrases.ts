import { LURE_PHRASES, type LureTopic } from './mail-lures.ts';
import { SCHEME_PARTS, type Scheme, type SchemePart, type SchemeParts } from './mail-schemes.ts';
import { phraseSearch } from './phrase-search.ts';

/** Phrases of a mail that lures and frauds consist of, with the words that say so. */
export interface MailPhrases {
  /** Lures of the subject and of the sender's name. */
  readonly headLures: ReadonlyMap<LureTopic, string>;
  readonly textLures: ReadonlyMap<LureTopic, string>;
  /**
   * Frauds that subject and text may belong to, each with its parts. A part alone is in many honest texts, and without the
   * subject of a fraud, its first part in the table, the others count for nothing.
   */
  readonly schemes: ReadonlyMap<Scheme, SchemeParts>;
}

/** One index of all phrases, so that a text is folded once. */
const search = phraseSearch<LureTopic | SchemePart>([
  ...LURE_PHRASES,
  ...SCHEME_PARTS.map((part) => [part, part.phrases] as const),
]);

/** Finds what a mail wants of its reader, and which frauds it may belong to. */
export function mailPhrases(subject: string, name: string, text: string): MailPhrases {
  const ofSubject = search(subject);
  const ofText = search(text);
  return {
    headLures: new Map([...luresOf(search(name)), ...luresOf(ofSubject)]),
    textLures: new Map(luresOf(ofText)),
    schemes: schemesOf(new Map([...ofText, ...ofSubject])),
  };
}

type Found = ReadonlyMap<LureTopic | SchemePart, string>;

function luresOf(found: Found): (readonly [LureTopic, string])[] {
  return [...found].flatMap(([topic, words]) => (typeof topic === 'string' ? [[topic, words] as const] : []));
}

function schemesOf(found: Found): ReadonlyMap<Scheme, SchemeParts> {
  const parts = [...found].flatMap(([part, words]) => (typeof part === 'string' ? [] : [{ ...part, words }]));
  const schemes = new Map<Scheme, Map<string, string>>();
  for (const { scheme, isSubject } of parts) if (isSubject) schemes.set(scheme, new Map());
  for (const { scheme, part, words } of parts) schemes.get(scheme)?.set(part, words);
  return schemes;
}
