import { withoutInvisible } from '#src/core/base/text/untrusted-text.ts';
import { readUrl, thinMarks } from '#src/core/url/read-url.ts';
import { isMeantHost, type WordPlace } from './meant-host.ts';
import { isIpv4, isTopLevel, splitHost } from './split-host.ts';

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
    /^(?:[^\s:]{0,40}?(https?):[\\/]{1,2})?(.*)$/is.exec(withoutPunctuation(word.slice(0, 2000))) ?? [];
  const isAddress =
    scheme !== undefined ||
    (isMeantHost(rest.replace(/\.com$/i, '.com'), place) && !rest.includes('@') && !isFileName(rest));
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
