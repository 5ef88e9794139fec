import { isText, listWith, objectWith } from '#src/core/base/guard.ts';
import { readFacts } from '../fact-file.ts';
import mailHeaderNamesFile from './mail-header-names.json' with { type: 'json' };
import riskyFilesFile from './risky-files.json' with { type: 'json' };

const isExtensions = listWith(isText);
const isKinds = objectWith({
  program: isExtensions,
  disk: isExtensions,
  macros: isExtensions,
  page: isExtensions,
  document: isExtensions,
});

/** Extensions of attached files by what opening them does, in lower case; `document` has those that others imitate. */
export const RISKY_FILES = readFacts('risky-files.json', riskyFilesFile, isKinds);

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
export const MAIL_HEADER_NAMES = readFacts('mail-header-names.json', mailHeaderNamesFile, isNames);
