import { hasBidiReordering, withoutInvisible } from '#src/core/base/text/untrusted-text.ts';
import { refang, WRITTEN_SCHEME } from '#src/core/url/defang.ts';
import { columnEnd } from '#src/core/url/read-url.ts';
import { type LinkSentence, type MessageLink, messageLink, sentenceAround } from '../message-link.ts';
import { createReading, type GatheredLinks, gatherLinks, type Reading } from '../reading.ts';
import { senderLinks } from '../sender-link.ts';
import { isMeantHost } from './hosts-in-text.ts';
import { linesOf } from './lines.ts';
import { addressAlone } from './mail-address.ts';
import { asUrl, isMailAddress, linksInWord, unwrapLines } from './wrapped-lines.ts';

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
function plainNotation(line: string): string {
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

/** Links of a text. */
export interface TextReading {
  readonly links: readonly MessageLink[];
  /** Lines without a link; of a text that was not typed, the first 1,000. */
  readonly linesWithout: readonly string[];
}

/**
 * Markdown's `[words](target)`, and `<target|words>` as chats write it. The lookahead makes the target atomic; without
 * it, each unterminated target would be tried at all of its lengths.
 */
const LINK_WITH_WORDS =
  /\[([^[\]]{0,500})\]\(\s{0,3}<?(?=((?:h[tx*_+]{2}ps?[:[({]|www[.[(])[^\s<>()]{1,8192}))\2>?[^()]{0,500}\)|<(https?:[^\s<>|]{1,8192})\|([^<>]{0,500})>/gi;

/** Markdown's `[words][label]` and `[words][]`, and the line that defines a label. */
const REFERENCE = /\[([^[\]]{1,500})\]\[([^[\]]{0,100})\]/g;
const DEFINITION = /^\[([^[\]]{1,100})\]:\s{0,3}<?(h[tx*_+]{2}ps?[:[({][^\s<>]{1,8192})>?(?:\s|$)/i;

/** Mark of a line of a list. */
const LIST_MARK = /^(?:[-*+•]|\d{1,6}[.)])\s+/;

/** Punctuation that ends a link in scripts without spaces, whose full stop may be a dot; and what is drawn behind one. */
const PUNCTUATION = /[、，；：！？「」『』（）【】《》〈〉“”„«»]|[。．｡](?![A-Za-z0-9])|…$|([-=_#+])\1{3}$/;

/** A word: text without white space, such punctuation, and characters that no URL contains unescaped. */
const WORD = /(?:[^\s<>"`|、，；：！？「」『』（）【】《》〈〉“”„«»。．｡]|[。．｡](?=[A-Za-z0-9]))+/g;

/**
 * Returns the links of a text: links alone, one or several per line, or a message around them; defanged, without a
 * scheme, in Markdown, or cut by a line break. Mail addresses are not links, unless typed alone, nor are other words with
 * dots that nobody meant as an address. If the end of a link is ambiguous, both readings are returned. Never throws; runs in linear time.
 *
 * @param isTyped true for a text that a person entered to have it checked: if each of its lines is a word, all are links
 */
export function linksInText(text: string, reading = createReading(), isTyped = false): TextReading {
  const links = gatherLinks(reading);
  let hasLinks = false;
  const linesWithout: string[] = [];
  const targets = definitionsIn(text);
  const isList = isTyped && [...plainLinesOf(text)].every((line) => !/\s/.test(line.replace(LIST_MARK, '')));
  for (const { text: line, joined, guesses } of unwrapLines(untilSpent(plainLinesOf(text), reading))) {
    const found = [
      ...linksInLine(line, { targets, isList, reading, many: links }).map((link) =>
        guesses.includes(link.url) ? { ...link, isGuess: true as const } : link,
      ),
      ...(joined === null ? [] : [messageLink(joined, '')]),
    ];
    links.add(found);
    hasLinks ||= found.length > 0;
    for (const { url, words } of found) reading.noteSentence(url, () => sentenceIn(line, words ?? url));
    if (found.length === 0 && (isTyped || linesWithout.length < MAX_LINES_WITHOUT)) linesWithout.push(line);
  }
  if (isTyped && !hasLinks) {
    const senders = senderLinks(linesWithout.flatMap((line) => addressAlone(line) ?? []));
    if (senders.length > 0)
      return { links: senders, linesWithout: linesWithout.filter((line) => addressAlone(line) === null) };
  }
  return { links: links.distinct(), linesWithout };
}

/**
 * Maximum part of a line in which a link is searched, in UTF-16 code units, so that time does not grow quadratically.
 */
const MAX_SEARCHED = 20_000;

/** Returns the sentence of a line around a link as it is shown; the line if it is written differently. */
function sentenceIn(line: string, shown: string): LinkSentence {
  const searched = line.slice(0, MAX_SEARCHED);
  // The scheme may have been added.
  for (const written of [shown, shown.replace(/^https?:\/\//, '')]) {
    const start = searched.indexOf(written);
    if (start !== -1) return sentenceAround(line, start, start + written.length);
  }
  return sentenceAround(line, 0, 0);
}

/** Maximum number of lines without a link that are returned of a text that was not typed. */
const MAX_LINES_WITHOUT = 1000;

/** Yields lines while there is budget; also asks for empty lines, of which a mail may have a million. */
function* untilSpent(lines: Iterable<string>, reading: Reading): Generator<string> {
  for (const line of lines) {
    if (reading.isSpent()) return;
    yield line;
  }
}

/** Yields the lines of a text without marks of quotation, in plain notation. */
function* plainLinesOf(text: string): Generator<string> {
  for (const line of linesOf(text)) yield plainNotation(line.replace(/^(?:\s*>)+/, '').trim());
}

/** Returns the targets of Markdown's reference labels, in lower case. */
function definitionsIn(text: string): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  if (!text.includes(']:')) return targets;
  for (const line of plainLinesOf(text)) {
    const [, label = '', target = ''] = DEFINITION.exec(line) ?? [];
    if (target !== '' && !targets.has(label.toLowerCase())) targets.set(label.toLowerCase(), target);
  }
  return targets;
}

interface LineContext {
  readonly targets: ReadonlyMap<string, string>;
  readonly isList: boolean;
  readonly reading: Reading;
  /** Takes the first links of a line that has many. */
  readonly many: GatheredLinks;
}

/** Number of links of a line from which on they are handed over, except for the last two. */
const MANY_IN_LINE = 500;

function linksInLine(line: string, context: LineContext): MessageLink[] {
  if (isEncoded(line)) return [];
  const links = linksAmongWords(line, context);
  const whole = links.length > 1 || links[0]?.words ? null : lineAsLink(line, context.isList);
  return whole === null ? links : markReversed([messageLink(whole, '')], line);
}

/** Returns true for a line of a file in uuencode (POSIX), as bounces and old mails hold it. */
function isEncoded(line: string): boolean {
  return line.length === 61 && /^M[!-`]{60}$/.test(line.replaceAll(' ', '`'));
}

/** Marks the links of a text if it is written in another order than it is read. */
function markReversed(links: MessageLink[], written: string): MessageLink[] {
  if (links.length === 0 || !hasBidiReordering(written)) return links;
  return links.map((link) => ({ ...link, isReversed: true }));
}

/** Header fields of mails, as bounces quote them, and lines of syslog: the hosts in them are those of machines. */
const RECORD =
  /^(?:received|x-[\w-]{1,40}|[\w-]{1,40}-(?:mta|id|path|results|signature)):\s|^(?:from|by)\s.{1,200}\bE?SMTP|^(?:\w{3}\s{1,2}\d{1,2}\s\d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\S{1,30})\s\S{1,100}\s[\w./-]{1,40}(?:\[\d+\])?:/i;

function linksAmongWords(line: string, { targets, isList, reading, many }: LineContext): MessageLink[] {
  const links: MessageLink[] = [];
  const take = (shown: string, target: string) => {
    const url = asUrl(target);
    if (url !== null) links.push(messageLink(url, shown));
    // Where Markdown is not rendered, an address among the words is a link as well.
    return url === null || /https?:|www\./i.test(shown) ? ` ${shown} ` : ' ';
  };
  const plain = line
    .replace(LINK_WITH_WORDS, (_, words = '', target = '', chatTarget = '', chatWords = '') =>
      take(words || chatWords, target || chatTarget),
    )
    .replace(REFERENCE, (_, words: string, label: string) =>
      take(words, targets.get((label || words).toLowerCase()) ?? ''),
    );
  let before = '';
  let meant = 0;
  for (const { 0: word } of plain.matchAll(WORD)) if (/[\p{L}\p{N}]/u.test(word) && ++meant > 1) break;
  const isAlone = meant === 1;
  const ofList = isList ? 'list' : 'line';
  const kind = RECORD.test(plain) ? 'record' : isAlone || isList ? ofList : null;
  // One at a time: a line may have a hundred thousand.
  for (const { 0: word, index } of plain.matchAll(WORD)) {
    // Programs write `paypal.com <https://evil.example/>` for a link behind words in plain text.
    const [around, behind] = [plain.charAt(index - 1), plain.charAt(index + word.length)];
    const isAddress = around === behind && /["`]/.test(around) && /^[\d.]+$/.test(word);
    const place = kind ?? (isAddress ? 'line' : 'text');
    const found = linksInWord(word, { place, before }).map((url) => messageLink(url, around === '<' ? before : ''));
    links.push(...markReversed(found, word));
    before = word;
    if (links.length < MANY_IN_LINE) continue;
    many.add(links.splice(0, links.length - 2));
    if (reading.isSpent()) break;
  }
  return links;
}

/** Returns a line that is only one link, in any notation; null for any other line. */
function lineAsLink(line: string, isList: boolean): string | null {
  if (line.length > 16_384 || isMailAddress(line) || PUNCTUATION.test(line)) return null;
  if (columnEnd(line) < line.length - 1) return null;
  const { url, isDefanged } = refang(line);
  const bare = url.replace(/^http:\/\//, '');
  const isMeant =
    (isList && !/^[^/]*[,;|]/.test(bare)) ||
    /^\W{0,4}https?:/i.test(line) ||
    (isDefanged ? isMeantHost(bare, 'list') : isHostLine(bare));
  return isMeant ? asUrl(url) : null;
}

/** Returns true for a line that is one host, or an address of the local machine. */
function isHostLine(line: string): boolean {
  return /^localhost[:/]/.test(line) || isMeantHost(line, 'line');
}
