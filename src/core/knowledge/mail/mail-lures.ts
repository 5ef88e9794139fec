import { mapWith } from '#src/core/base/guard.ts';
import { isPhrases, readFacts } from '../fact-file.ts';
import file from './mail-lures.json' with { type: 'json' };

/** Topics of lures: claims that a reader is to believe, and acts that are asked for. */
export const LURE_TOPICS = [
  ...(['account', 'mailbox', 'parcel', 'payment', 'document', 'prize', 'wallet', 'money', 'advert'] as const),
  ...(['callback', 'urgency', 'secret'] as const),
] as const;

/** One of {@link LURE_TOPICS}. */
export type LureTopic = (typeof LURE_TOPICS)[number];

const entries = Object.entries(readFacts('mail-lures.json', file, mapWith(mapWith(isPhrases))));

/** Phrases of each topic, in all languages. */
export const LURE_PHRASES: readonly (readonly [LureTopic, readonly string[]])[] = entries.map(([topic, phrases]) => {
  const known = LURE_TOPICS.find((one) => one === topic);
  if (known === undefined) throw new Error(`mail-lures.json: ${topic} is not a topic`);
  return [known, Object.values(phrases).flat()];
});
