import { HOST_ENDINGS } from '#src/core/knowledge/hosts/host-endings.ts';
import { isIpv4, isTopLevel, splitHost } from './split-host.ts';

/**
 * Place of a word. `text`: among others; `line`: alone on its line; `list`: in a text of nothing else, line by line;
 * `record`: in a line that a program wrote.
 */
export type WordPlace = 'text' | 'line' | 'list' | 'record';

/**
 * Returns true for a word without a scheme by which somebody meant a web address: `www.`, a path or port behind a real
 * suffix, or a host that is no file name, identifier or version, and not two sentences that meet.
 *
 * @param before the word in front of it
 */
export function isMeantHost(word: string, place: WordPlace, before = ''): boolean {
  const split = splitHost(word.replace(/^[^/?#@]*@/, ''));
  if (split === null) return false;
  const { labels, rest } = split;
  const ending = labels.at(-1) ?? '';
  if (/^\d+$/.test(ending)) return place !== 'record' && isIpv4(labels) && isMeantAddress(labels, rest, place);
  if (!isTopLevel(ending.toLowerCase())) return false;
  if (/^www$/i.test(labels[0] ?? '') && labels.length > 2) return true;
  const isFile = isFileName(labels);
  const hasPath = /^(?::\d+)?[/?#]/.test(rest);
  // Two files with a slash between, or a place within one.
  if (hasPath && (!isFile || (isLower(labels) && /^\/[\w-]*$/.test(rest)))) return !isName(labels, '_');
  if (place === 'list' || place === 'record') return place === 'list';
  return !isFile && !isName(labels, '_') && isMeantName(labels, { place, before, hasPort: rest.length > 2 });
}

/** Four octets with a path, which is not the length of a prefix, with a port, or alone: no version, no mask. */
function isMeantAddress(labels: readonly string[], rest: string, place: WordPlace): boolean {
  if (rest !== '') return !/^\/\d{0,2}(?![\w./-])/.test(rest);
  const first = Number(labels[0]);
  return place === 'list' || (place === 'line' && first > 9 && first < 224);
}

const { plain, files, middles, roots, announcing } = HOST_ENDINGS;

interface Surroundings {
  readonly place: WordPlace;
  readonly before: string;
  readonly hasPort: boolean;
}

function isMeantName(labels: readonly string[], { place, before, hasPort }: Surroundings): boolean {
  const names = labels.slice(0, -1);
  const ending = labels.at(-1) ?? '';
  const isPlain = isPlainEnding(ending);
  // Versions, dates and times; some sites have a number for a name.
  if (names.every((name) => /^v?\d+$/i.test(name))) return isPlain && names.length === 1 && names.join().length > 2;
  const isOfCode = roots.has(names[0] ?? '') && (names.length > 1 || !isPlain);
  if (isPlain) return !isOfCode || ending.length > 2;
  if (labels.join('') === labels.join('').toUpperCase()) return ending !== 'NET' && isPlainEnding(ending.toLowerCase());
  if (!isLower(labels) || isOfCode) return false;
  if (hasPort || names.some((name) => name.length > 4 && /[-\d]/.test(name))) return true;
  if (place === 'line') return names.length > 1 || names.join().length > 4;
  return announcing.has(before.toLowerCase().replace(/[:：]$/, ''));
}

/** The last label has the case of its list: a sentence begins with a capital. */
function isPlainEnding(ending: string): boolean {
  return plain.has(ending) || /[^\x21-\x7e]/.test(ending) || ending.startsWith('xn--');
}

function isFileName(labels: readonly string[]): boolean {
  const [middle = '', ending = ''] = labels.slice(-2).map((label) => label.toLowerCase());
  return files.has(ending) || (middles.has(middle) && !plain.has(ending));
}

const isName = (labels: readonly string[], part: string): boolean => labels.some((label) => label.includes(part));

const isLower = (labels: readonly string[]): boolean => labels.every((label) => label === label.toLowerCase());
