import { reversesReading } from '#src/core/base/text/untrusted-text.ts';
import { linksInWord } from './links-in-word.ts';
import { type MessageLink, messageLink, withoutRepeats } from './message-link.ts';
import { createReading } from './reading.ts';
import { type LinkSentence, sentenceAround } from './sentence.ts';
import { unwrapLines } from './wrapped-lines.ts';
import { asUrl, isMailAddress } from './written-link.ts';

/** What was found in a text. */
export interface TextReading {
  readonly links: readonly MessageLink[];
  /** The lines in which there is none. */
  readonly linesWithout: readonly string[];
}

/**
 * Markdown's `[words](target)`, and `<target|words>` as chats write it. The lookahead keeps a target whole: without it, each
 * target without an end would be tried at all of its lengths.
 */
const BEHIND_WORDS =
  /\[([^[\]]{0,500})\]\(\s{0,3}<?(?=((?:h[tx*_+]{2}ps?[:[({]|www[.[(])[^\s<>()]{1,8192}))\2>?[^()]{0,500}\)|<(https?:[^\s<>|]{1,8192})\|([^<>]{0,500})>/gi;

/** Markdown's `[words][label]` and `[words][]`, and the line that says where a label leads. */
const REFERENCE = /\[([^[\]]{1,500})\]\[([^[\]]{0,100})\]/g;
const DEFINITION = /^\[([^[\]]{1,100})\]:\s{0,3}<?(h[tx*_+]{2}ps?[:[({][^\s<>]{1,8192})>?(?:\s|$)/i;

/** What ends a link in scripts that are written without spaces. Their full stop may be a dot. */
const PUNCTUATION = /[、，；：！？「」『』（）【】《》〈〉“”„«»]|[。．｡](?![A-Za-z0-9])/;

/** A word: what stands between white space, such punctuation, and what no URL holds unescaped. */
const WORD = /(?:[^\s<>"`|、，；：！？「」『』（）【】《》〈〉“”„«»。．｡]|[。．｡](?=[A-Za-z0-9]))+/g;

/**
 * The links of a text as people paste it: links alone, one a line or several, or the message around them; defanged, without
 * a scheme, in Markdown, cut by a line break. Mail addresses are none. Where it is in doubt how far a link goes, both
 * readings are links. Never throws; the time grows with the length.
 */
export function linksInText(text: string, reading = createReading()): TextReading {
  const links: MessageLink[] = [];
  const linesWithout: string[] = [];
  const lines = text.split(/\r\n?|\n/).map((line) => line.replace(/^(?:\s*>)+/, '').trim());
  const targets = definitionsIn(lines);
  for (const { text: line, joined, guesses } of unwrapLines(lines)) {
    if (reading.isSpent()) break;
    const found = [
      ...linksInLine(line, targets).map((link) =>
        guesses.includes(link.url) ? { ...link, isGuess: true as const } : link,
      ),
      ...(joined === null ? [] : [messageLink(joined, '')]),
    ];
    links.push(...found);
    for (const { url, words } of found) reading.noteSentence(url, () => sentenceIn(line, words ?? url));
    if (found.length === 0) linesWithout.push(line);
  }
  return { links: withoutRepeats(links), linesWithout };
}

/** So much of a line is searched for a link, in UTF-16 code units: time must not grow with the square of its length. */
const MAX_SEARCHED = 20_000;

/** The sentence of a line around a link as it is shown; the line where it is written differently. */
function sentenceIn(line: string, shown: string): LinkSentence {
  const searched = line.slice(0, MAX_SEARCHED);
  // A link without a scheme was given one.
  for (const written of [shown, shown.replace(/^https?:\/\//, '')]) {
    const start = searched.indexOf(written);
    if (start !== -1) return sentenceAround(line, start, start + written.length);
  }
  return sentenceAround(line, 0, 0);
}

/** Where the labels of Markdown's references lead, in lower case. */
function definitionsIn(lines: readonly string[]): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  for (const line of lines) {
    const [, label = '', target = ''] = DEFINITION.exec(line) ?? [];
    if (target !== '' && !targets.has(label.toLowerCase())) targets.set(label.toLowerCase(), target);
  }
  return targets;
}

function linksInLine(line: string, targets: ReadonlyMap<string, string>): MessageLink[] {
  const links = linksAmongWords(line, targets);
  const whole = links.length > 1 || links[0]?.words ? null : lineAsLink(line);
  return whole === null ? links : [markReversed(messageLink(whole, ''), line)];
}

function markReversed(link: MessageLink, written: string): MessageLink {
  return reversesReading(written) ? { ...link, isReversed: true } : link;
}

function linksAmongWords(line: string, targets: ReadonlyMap<string, string>): MessageLink[] {
  const links: MessageLink[] = [];
  const take = (shown: string, target: string) => {
    const url = asUrl(target);
    if (url !== null) links.push(messageLink(url, shown));
    // Where Markdown is not rendered, an address among the words is a link as well.
    return url === null || /https?:|www\./i.test(shown) ? ` ${shown} ` : ' ';
  };
  const plain = line
    .replace(BEHIND_WORDS, (_, words = '', target = '', chatTarget = '', chatWords = '') =>
      take(words || chatWords, target || chatTarget),
    )
    .replace(REFERENCE, (_, words: string, label: string) =>
      take(words, targets.get((label || words).toLowerCase()) ?? ''),
    );
  let before = '';
  for (const { 0: word, index } of plain.matchAll(WORD)) {
    // `paypal.com <https://evil.example/>` is what programs make of a link behind words in plain text.
    const isBehind = plain.charAt(index - 1) === '<';
    const found = linksInWord(word).map((url) => messageLink(url, isBehind ? before : ''));
    links.push(...found.map((link) => markReversed(link, word)));
    before = word;
  }
  return links;
}

/** A line that is nothing but one link, in whatever spelling. */
function lineAsLink(line: string): string | null {
  if (line.length > 16_384 || isMailAddress(line) || PUNCTUATION.test(line)) return null;
  return asUrl(line);
}
