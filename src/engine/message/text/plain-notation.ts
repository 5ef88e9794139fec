import { hasBidiReordering, withoutInvisible } from '#src/core/base/text/untrusted-text.ts';
import { WRITTEN_SCHEME } from '#src/core/url/defang.ts';

/** Visible ASCII as HTML, JSON and source code write it. */
const ESCAPE = /&#(?:x0{0,4}([2-7][\da-f])|0{0,4}(\d{2,3}));|\\(?:u00|x)([2-7][\da-f])/gi;

/** Line breaks as source code writes them, where no path goes on. */
const WRITTEN_BREAK = /(?:\\r)?\\n(?=\\|$|[\s"'A-Z*•-]|h[tx]{2}ps?:)|\\[rt](?=\\|$|[\s"'])/g;

const MARKED_DOT =
  /(?<=[\p{L}\p{N}])\s{0,3}[[({<]\s?(?:\.|d[o0]t|punkt|point|punto|ponto)\s?[\])}>]\s{0,3}(?=[\p{L}\p{N}])/giu;
const SPOKEN_DOT = /(?<=[\p{L}\p{N}]) {1,2}DOT {1,2}(?=[\p{L}\p{N}])/gu;

/** Characters of which a line without any is written plainly. */
const MARK = /[^ -~]|[\\&[({<]|DOT|: ?\/|[hH] ?[tTxX*]/;

const SCHEME = new RegExp(`(?<![\\p{L}\\p{N}])${WRITTEN_SCHEME}\\s{0,3}`, 'giu');

/**
 * Returns a line with the notations of addresses that hold white space, brackets or escapes replaced by plain ones:
 * `paypal [.] com`, `hxxp : //`, `https:\/\/`, `\u002f`, `&#46;`, and `\n` for a line break.
 */
export function plainNotation(line: string): string {
  if (!MARK.test(line)) return line;
  const plain = line
    .replace(/(?<=[!-~])[^ -~]{1,9}(?=[!-~])/g, (some) =>
      hasBidiReordering(`a${some}a`) ? some : withoutInvisible(some),
    )
    .replace(ESCAPE, (written, hex?: string, decimal?: string, code?: string) => {
      const number = decimal === undefined ? Number.parseInt(hex ?? code ?? '', 16) : Number(decimal);
      return number > 0x20 && number < 0x7f ? String.fromCharCode(number) : written;
    })
    .replace(WRITTEN_BREAK, ' ')
    .replace(MARKED_DOT, '[.]')
    .replace(SPOKEN_DOT, '[.]')
    .replace(SCHEME, (written, secure?: string) => {
      if (/^https?:[\\/]{1,3}\s*$/i.test(written)) return written;
      return written.endsWith('\\') ? written.replace(/\s/g, '') : `hxxp${secure ? 's' : ''}://`;
    });
  return plain.includes(':\\/\\/') || plain.includes('//') ? plain.replaceAll('\\/', '/') : plain;
}
