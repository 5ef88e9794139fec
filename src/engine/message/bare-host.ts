import { withoutInvisible } from '#src/core/base/text/untrusted-text.ts';
import { HOST_ENDINGS } from '#src/core/knowledge/hosts/host-endings.ts';
import { thinMarks } from '#src/core/url/marks.ts';
import { readUrl } from '#src/core/url/read-url.ts';

/** File extensions that are top-level names as well; `invoice.zip` is not taken for a host. */
const FILE_ENDINGS = new Set(['zip', 'mov', 'md', 'py', 'sh', 'rs', 'pl']);

const LABEL = /^[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_-]{0,61}[\p{L}\p{N}\p{M}_])?$/u;

/** Characters that can follow a host: of a port, a path, a query or a fragment. */
const BEHIND_HOST = /[:/?#]/;

/** Splits text into the labels of a host and the rest; null if it does not begin with a host. */
export function splitHost(text: string): { readonly labels: readonly string[]; readonly rest: string } | null {
  const end = text.search(BEHIND_HOST);
  const host = end === -1 ? text : text.slice(0, end);
  const rest = end === -1 ? '' : text.slice(end);
  const labels = host.replace(/\.$/, '').split('.');
  const isHost = host.length <= 253 && labels.length > 1 && labels.every((label) => LABEL.test(label));
  return isHost && /^(?::\d{1,5}(?=[/?#]|$)|[/?#]|$)/.test(rest) ? { labels, rest } : null;
}

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

/** Returns true for a label in lower case under which hosts have names. */
export function isTopLevel(label: string): boolean {
  const { plain, files, other } = HOST_ENDINGS;
  return plain.has(label) || files.has(label) || other.has(label) || /^xn--[a-z0-9-]{1,59}$/.test(label);
}

/** Returns the hosts that words name, in order, as written in URLs. */
export function hostsNamedIn(words: string): string[] {
  // Compatibility forms, such as a full-width letter or a raised dot, are read as what they look like.
  const plain = withoutInvisible(thinMarks(words).normalize('NFKC'));
  const hosts = plain.split(/[\s<>()[\]{}"'“”„«»|,;]+/).flatMap((word) => hostOfWord(word));
  return [...new Set(hosts)];
}

function hostOfWord(word: string): string[] {
  const [, scheme, rest = ''] =
    /^(?:[^\s:]{0,40}?(https?):[\\/]{1,2})?(.*)$/is.exec(withoutPunctuation(word.slice(0, 2000))) ?? [];
  const isAddress = scheme !== undefined || (isBareAddress(rest) && !rest.includes('@') && !isFileName(rest));
  const host = isAddress ? readUrl(`http://${rest}`)?.hostname : undefined;
  return host ? [host.replace(/\.$/, '')] : [];
}

/** Returns a word without trailing punctuation. */
function withoutPunctuation(word: string): string {
  return word.replace(/(?<![.:!?…])[.:!?…]+$/, '');
}

function isFileName(word: string): boolean {
  const labels = word.toLowerCase().split('.');
  return labels.length === 2 && FILE_ENDINGS.has(labels[1] ?? '');
}

export function isIpv4(labels: readonly string[]): boolean {
  return labels.length === 4 && labels.every((label) => /^\d{1,3}$/.test(label) && Number(label) < 256);
}
