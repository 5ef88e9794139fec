import { objectWith } from '#src/core/base/guard.ts';
import { isWordLines, readFacts, wordsIn } from '../fact-file.ts';
import file from './file-names.json' with { type: 'json' };

const isNames = objectWith({ kitScripts: isWordLines, loginScripts: isWordLines, commonFiles: isWordLines });

const { kitScripts, loginScripts, commonFiles } = readFacts('file-names.json', file, isNames);

/** Names of scripts that take what a kit catches. */
export const KIT_SCRIPT = new RegExp(`^(?:re)?(?:${wordsIn(kitScripts).join('|')})\\.php$`, 'i');

/** Names that products and sites made by hand give to the script of their own login. */
export const LOGIN_SCRIPT = new RegExp(`^(?:${wordsIn(loginScripts).join('|')})\\.php$`, 'i');

/** Names of pictures, styles and scripts that half of the web has. */
export const COMMON_FILE = new RegExp(
  `^(?:${wordsIn(commonFiles).join('|')})(?:[-.](?:min|slim|bundle|prod|\\d[\\d.]*))*\\.(?:js|css|png|svg|ico|gif|jpg)$`,
);
