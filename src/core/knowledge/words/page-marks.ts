import { objectWith } from '#src/core/base/guard.ts';
import { isNameLines, isPatterns, isPhrases, isWordLines, readFacts, searchFor, wordsIn } from '../fact-file.ts';
import mailServices from '../hosts/mail-services.json' with { type: 'json' };
import fileNamesFile from './file-names.json' with { type: 'json' };
import kitMarks from './kit-marks.json' with { type: 'json' };
import pressurePhrases from './pressure-phrases.json' with { type: 'json' };
import standInPagesFile from './stand-in-pages.json' with { type: 'json' };

const isNames = objectWith({ kitScripts: isWordLines, loginScripts: isWordLines, commonFiles: isWordLines });

const { kitScripts, loginScripts, commonFiles } = readFacts('file-names.json', fileNamesFile, isNames);

/** Names of scripts that take what a kit catches. */
export const KIT_SCRIPT = new RegExp(`^(?:re)?(?:${wordsIn(kitScripts).join('|')})\\.php$`, 'i');

/** Names that products and sites made by hand give to the script of their own login. */
export const LOGIN_SCRIPT = new RegExp(`^(?:${wordsIn(loginScripts).join('|')})\\.php$`, 'i');

/** Names of pictures, styles and scripts that half of the web has. */
export const COMMON_FILE = new RegExp(
  `^(?:${wordsIn(commonFiles).join('|')})(?:[-.](?:min|slim|bundle|prod|\\d[\\d.]*))*\\.(?:js|css|png|svg|ico|gif|jpg)$`,
);

const isMarks = objectWith({
  headers: isNameLines,
  addresses: isNameLines,
  titles: isPhrases,
  captchas: isNameLines,
  questions: isPhrases,
  comments: isPhrases,
});

const { headers, addresses, titles, captchas, questions, comments } = readFacts(
  'stand-in-pages.json',
  standInPagesFile,
  isMarks,
);

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

/** Phrases of pressure in the languages that most lures are written in. */
export const PRESSURE: RegExp = searchFor(readFacts('pressure-phrases.json', pressurePhrases, isPatterns), 'i');

/** Marks of the makers of kits and of tools that send lures. */
export const KIT_MARKS: RegExp = searchFor(readFacts('kit-marks.json', kitMarks, isPatterns), 'i');

/** Names of mail services, in lower case, of which an ordinary login offers at most two. */
export const MAIL_SERVICES: readonly string[] = readFacts('mail-services.json', mailServices, isPhrases);
