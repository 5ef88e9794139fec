import { mapWith } from '#src/core/base/guard.ts';
import { isPhrases, readFacts } from '../fact-file.ts';
import mailLuresFile from './mail-lures.json' with { type: 'json' };
import mailSchemesFile from './mail-schemes.json' with { type: 'json' };
import { phraseSearch } from './phrase-search.ts';

/** Frauds that consist of a text alone, with no link to follow. */
export const SCHEMES = [
  ...(['extortion', 'callback', 'gift_cards', 'errand', 'bank_details'] as const),
  ...(['funds', 'loan', 'job', 'romance', 'approach'] as const),
] as const;

/** One of {@link SCHEMES}. */
export type Scheme = (typeof SCHEMES)[number];

/** Parts of a scheme that a text has, by name, with the words that say so. */
export type SchemeParts = ReadonlyMap<string, string>;

const schemes = Object.entries(readFacts('mail-schemes.json', mailSchemesFile, mapWith(mapWith(mapWith(isPhrases)))));

interface SchemePart {
  readonly scheme: Scheme;
  readonly part: string;
  /** True for the part without which the others say nothing. */
  readonly isSubject: boolean;
  readonly phrases: readonly string[];
}

const SCHEME_PARTS: readonly SchemePart[] = schemes.flatMap(([name, parts]) => {
  const scheme = SCHEMES.find((one) => one === name);
  if (scheme === undefined) throw new Error(`mail-schemes.json: ${name} is not a scheme`);
  const [subject] = Object.keys(parts);
  return Object.entries(parts).map(([part, phrases]) => ({
    ...{ scheme, part, isSubject: part === subject },
    phrases: Object.values(phrases).flat(),
  }));
});

/** Topics of lures: claims that a reader is to believe, and acts that are asked for. */
export const LURE_TOPICS = [
  ...(['account', 'mailbox', 'parcel', 'payment', 'document', 'prize', 'wallet', 'money', 'advert'] as const),
  ...(['callback', 'urgency', 'secret'] as const),
] as const;

/** One of {@link LURE_TOPICS}. */
export type LureTopic = (typeof LURE_TOPICS)[number];

const entries = Object.entries(readFacts('mail-lures.json', mailLuresFile, mapWith(mapWith(isPhrases))));

const LURE_PHRASES: readonly (readonly [LureTopic, readonly string[]])[] = entries.map(([topic, phrases]) => {
  const known = LURE_TOPICS.find((one) => one === topic);
  if (known === undefined) throw new Error(`mail-lures.json: ${topic} is not a topic`);
  return [known, Object.values(phrases).flat()];
});

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
