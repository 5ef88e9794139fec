import { type Host, hostOf, parseHost } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';

/** The longest text of a list that is shown. */
const MAX_SHOWN = 80;

/** A text of a list as a sentence quotes it. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text);
}

/**
 * A line of a list. A host covers itself and its subdomains; a URL covers everything below its path on that host alone,
 * by http and https alike; a URL with a query covers that path alone, with any further parameters.
 */
export type ListEntry =
  | { readonly kind: 'host'; readonly host: string }
  | {
      readonly kind: 'address';
      readonly host: string;
      /** Port of the address; null for the usual ones of its schemes. */
      readonly port: number | null;
      readonly path: string;
      readonly query: string;
    };

/** Why a line is not an entry, as a sentence for its author. */
export interface EntryProblem {
  readonly problem: string;
}

const WEB_ADDRESS = /^https?:\/\//i;

/** Parses one line without its comment, strictly. A public suffix is not a valid host. */
export function readEntry(text: string): ListEntry | EntryProblem {
  const entry = readAnyEntry(text);
  if ('problem' in entry || entry.kind !== 'host' || !isPublicSuffix(hostOf(entry.host))) return entry;
  return { problem: `is a public suffix, so it would cover every site below ${entry.host}` };
}

/** Same without the limits on what an entry may cover. */
export function readAnyEntry(text: string): ListEntry | EntryProblem {
  const refusal = refuse(text);
  if (refusal !== null) return { problem: refusal };
  return WEB_ADDRESS.test(text) ? readAddress(text) : readHost(text);
}

function readAddress(text: string): ListEntry | EntryProblem {
  const target = parseTarget(text);
  if (isTargetProblem(target)) return { problem: `${target.message}: write a host or a URL` };
  if (target.username !== '' || target.hasPassword)
    return { problem: 'has credentials, which list entries must not have' };
  return entryOfUrl(target);
}

/** The entry for a URL and what is below it. */
export function entryOfUrl({ host, port, path, query }: Target): Extract<ListEntry, { readonly kind: 'address' }> {
  return { kind: 'address', host: host.text, port: port === 80 || port === 443 ? null : port, path, query };
}

function readHost(text: string): ListEntry | EntryProblem {
  const host = parseHost(text);
  if (host === null) return { problem: 'is neither a host nor a URL that begins with http:// or https://' };
  return { kind: 'host', host: host.text };
}

/** Returns what to write instead of text in another format, for the formats that people paste. */
function refuse(text: string): string | null {
  const isAddress = WEB_ADDRESS.test(text);
  if (/\[\.\]|\(\.\)|\[dot\]/i.test(text) || (/^h(?:xx|\*\*|tt)ps?\[?:?\]?:?\/\//i.test(text) && !isAddress)) {
    return 'is defanged: write the real host or URL';
  }
  if (/\s/.test(text)) return 'contains white space: write one host or URL per line';
  if (/^\*?\./.test(text)) return 'must not begin with a star or dot: a host includes its subdomains';
  // A URL may hold much that no host does; what ends with a star is the beginning of URLs.
  if ((isAddress ? /["<>]|\*$/ : /[*|^,;"'<>]/).test(text)) return 'is in another format: write a plain host or URL';
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !isAddress) return 'is not an http or https URL';
  return null;
}

/** Returns true if the sites of many owners are below a host. */
export function isPublicSuffix({ text, kind, suffix }: Host): boolean {
  return kind === 'name' && suffix === text;
}
