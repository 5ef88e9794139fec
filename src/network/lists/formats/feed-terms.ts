import { objectWith } from '#src/core/base/guard.ts';
import { isPhrases, readFacts } from '#src/core/knowledge/fact-file.ts';
import file from './feed-terms.json' with { type: 'json' };

/**
 * Names of the columns and members of feeds, lower case with underscores, and of the types that a URL, host or address
 * has in them (`web`). If a record has several of `value`, the first of these counts.
 */
export const FEED_TERMS = readFacts(
  'feed-terms.json',
  file,
  objectWith({
    value: isPhrases,
    type: isPhrases,
    expiry: isPhrases,
    source: isPhrases,
    comment: isPhrases,
    web: isPhrases,
    lists: isPhrases,
  }),
);
