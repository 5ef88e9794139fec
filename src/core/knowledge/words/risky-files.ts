import { isText, listWith, objectWith } from '#src/core/base/guard.ts';
import { readFacts } from '../fact-file.ts';
import file from './risky-files.json' with { type: 'json' };

const isExtensions = listWith(isText);
const isKinds = objectWith({
  program: isExtensions,
  disk: isExtensions,
  macros: isExtensions,
  page: isExtensions,
  document: isExtensions,
});

/** Extensions of attached files by what opening them does, in lower case; `document` has those that others imitate. */
export const RISKY_FILES = readFacts('risky-files.json', file, isKinds);
