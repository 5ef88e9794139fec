import { isNameLines, readFacts, wordsIn } from '../fact-file.ts';
import file from './publishing-mail-tools.json' with { type: 'json' };

/** Listed names of mail tools whose links may lead to pages of their customers, and not on. */
export const PUBLISHING_MAIL_TOOLS: ReadonlySet<string> = new Set(
  wordsIn(readFacts('publishing-mail-tools.json', file, isNameLines)),
);
