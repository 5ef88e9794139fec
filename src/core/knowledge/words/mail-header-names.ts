import { isText, listWith, objectWith } from '#src/core/base/guard.ts';
import { readFacts } from '../fact-file.ts';
import file from './mail-header-names.json' with { type: 'json' };

const isNames = objectWith({
  from: listWith(isText),
  beside: listWith(isText),
  wrote: listWith(isText),
  toMe: listWith(isText),
});

/**
 * Words of the heads that mail programs write above a mail they quote, in lower case: the name of the sender's field,
 * names of the fields beside it, words that end the line of a reply, and the receiver as Gmail shows it.
 */
export const MAIL_HEADER_NAMES = readFacts('mail-header-names.json', file, isNames);
