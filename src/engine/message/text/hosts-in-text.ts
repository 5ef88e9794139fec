import { withoutInvisible } from '#src/core/base/text/untrusted-text.ts';
import { HOST_ENDINGS } from '#src/core/knowledge/hosts/host-endings.ts';
import { readUrl, thinMarks } from '#src/core/url/read-url.ts';

const LABEL = /^[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_-]{0,61}[\p{L}\p{N}\p{M}_])?$/u;

/** Characters that can follow a host: of a port, a path, a query or a fragment. */
const BEHIND_HOST = /[:/?#]/;

/** Splits text into the labels of a host and the rest; null if it does not begin with a host. */
function splitHost(text: string): { readonly labels: readonly string[]; readonly rest: string } | null {
  const end = text.search(BEHIND_HOST);
  const host = end === -1 ? text : text.slice(0, end);
  const rest = end === -1 ? '' : text.slice(end);
  const labels = host.replace(/\.$/, '').split('.');
  const isHost = host.length <= 253 && labels.length > 1 && labels.every((label) => LABEL.test(label));
  return isHost && /^(?::\d{1,5}(?=[/?#]|$)|[/?#]|$)/.test(rest) ? { labels, rest } : null;
}

/** Returns true for a label in lower case under which hosts have names. */
function isTopLevel(label: string): boolean {
  const { plain, files, other } = HOST_ENDINGS;
  return plain.has(label) || files.has(label) || other.has(label) || /^xn--[a-z0-9-]{1,59}$/.test(label);
}

/** Returns true for a URL whose host ends with such a label. */
export function isNamedHost(url: URL | null): boolean {
  return url !== null && isTopLevel(url.hostname.slice(url.hostname.lastIndexOf('.') + 1));
}

/** Returns true for four octets. */
function isIpv4(labels: readonly string[]): boolean {
  return labels.length === 4 && labels.every((label) => /^\d{1,3}$/.test(label) && Number(label) < 256);
}

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

/** File extensions that are top-level names as well; `invoice.zip` is not taken for a host. */
const FILE_ENDINGS = new Set(['zip', 'mov', 'md', 'py', 'sh', 'rs', 'pl']);

/**
 * Returns true for a word that mail programs take for a web address without a scheme: it ends in a top-level name, or
 * has a path, query or port after something like a host. False for `Node.js` and `1.2.3`.
 */
export function isBareAddress(word: string): boolean {
  const split = splitHost(word);
  if (split === null) return false;
  const last = split.labels.at(-1)?.toLowerCase() ?? '';
  if (/^\d+$/.test(last)) return split.rest !== '' && isIpv4(split.labels);
  return isTopLevel(last) || (split.rest.length > 1 && /^\p{L}{2,}$/u.test(last));
}

/** Returns the hosts that words name, in order, as written in URLs. */
export function hostsNamedIn(words: string): string[] {
  // Compatibility forms, such as a full-width letter or a raised dot, are read as what they look like.
  const plain = withoutInvisible(thinMarks(words).normalize('NFKC'));
  const some = plain.split(/[\s<>()[\]{}"'“”„«»|,;]+/).filter((word) => word !== '');
  const hosts = some.flatMap((word) => hostOfWord(word, some.length === 1 ? 'line' : 'text'));
  return [...new Set(hosts)];
}

function hostOfWord(word: string, place: WordPlace): string[] {
  const [, scheme, rest = ''] =
    /^(?:[^\s:]{0,40}?(https?):[\\/]{1,2})?(.*)$/is.exec(word.slice(0, 2000).replace(/(?<![.:!?…])[.:!?…]+$/, '')) ??
    [];
  const isAddress =
    scheme !== undefined ||
    (isMeantHost(rest.replace(/\.com$/i, '.com'), place) && !rest.includes('@') && !isNameOfFile(rest));
  const host = isAddress ? readUrl(`http://${rest}`)?.hostname : undefined;
  return host ? [host.replace(/\.$/, '')] : [];
}

function isNameOfFile(word: string): boolean {
  const labels = word.toLowerCase().split('.');
  return labels.length === 2 && FILE_ENDINGS.has(labels[1] ?? '');
}
