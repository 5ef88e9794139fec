import { isText, mapWith, objectWith } from '#src/core/base/guard.ts';
import { readFacts } from '../fact-file.ts';
import file from './file-kinds.json' with { type: 'json' };

const isKinds = objectWith({ packed: mapWith(isText), other: mapWith(isText) });

/** Kinds of files by their first bytes, in hexadecimal digits: content codings, and names as part of a sentence. */
export const FILE_KINDS = readFacts('file-kinds.json', file, isKinds);
