import { objectWith } from '#src/core/base/guard.ts';
import { isNameLines, isPhrases, readFacts, wordsIn } from '../fact-file.ts';
import file from './stand-in-pages.json' with { type: 'json' };

const isMarks = objectWith({
  headers: isNameLines,
  addresses: isNameLines,
  titles: isPhrases,
  captchas: isNameLines,
  questions: isPhrases,
  comments: isPhrases,
});

const { headers, addresses, titles, captchas, questions, comments } = readFacts('stand-in-pages.json', file, isMarks);

/**
 * Marks of pages that are served instead of a site's own: bot challenges, and sign-in pages of networks. All lower
 * case.
 */
export const PLACEHOLDER_MARKS = {
  /** Response headers with the value that they have. */
  headers: headers.map((line) => line.split(' ', 2)),
  /** Parts of the addresses of scripts, frames and refreshes. */
  addresses: wordsIn(addresses),
  /** Titles, each whole. */
  titles: new Set(titles),
  /** Parts of the addresses of CAPTCHA scripts, which pages with content have in their forms as well. */
  captchas: wordsIn(captchas),
  /** Parts of the texts that pages show beside a CAPTCHA before they show anything else. */
  questions,
  /** Parts of comments. */
  comments,
} as const;
