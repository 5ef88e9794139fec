import { parse } from 'tldts';
import { parseIp } from '#src/core/base/addresses/ip.ts';
import { memoizeLatestTwo } from '#src/core/base/memoize-latest.ts';
import { readUrl } from './read-url.ts';

/** The name or address of a machine, taken apart once. Every spelling of the same host gives an equal one. */
export interface Host {
  /** Lower-case ASCII (punycode) without a final dot; an IPv6 address without brackets. */
  readonly text: string;
  readonly kind: 'name' | 'ipv4' | 'ipv6';
  /** The public suffix, private ones such as `github.io` included; empty for an address or an unlisted name. */
  readonly suffix: string;
  /**
   * The part of the host that one publisher controls: `user.github.io`, `example.co.uk`; the host itself if it has no
   * such part.
   */
  readonly site: string;
  /** The domain that a registry registered, by ICANN suffixes alone (`github.io`); null for an address or a bare suffix. */
  readonly registrable: string | null;
  /** The labels left of `site`; empty if there are none. */
  readonly subdomain: string;
}

/** Text that is not part of a host: the beginning of a path, query or fragment, credentials, a port after brackets. */
const BEYOND_A_HOST = /[/\\?#@]|\]./;

/**
 * Parses a host in any spelling that a URL may contain: capitals, Unicode, a final dot, an IPv6 address with or without
 * its brackets. Null if the text is not a host, or contains more than a host: a port, a path, a user.
 */
export function parseHost(text: string): Host | null {
  if (BEYOND_A_HOST.test(text)) return null;
  const isBareIpv6 = text.includes(':') && !text.startsWith('[');
  const url = readUrl(`http://${isBareIpv6 ? `[${text}]` : text}/`);
  const host = url === null ? '' : canonicalHost(url);
  return host === '' ? null : hostOf(host);
}

/** The host of a parsed URL as {@link Host.text} has it; empty if there is nothing but a dot. */
export function canonicalHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** Takes a host apart that is in the canonical form already, as {@link Host.text} is. */
export function hostOf(text: string): Host {
  const family = parseIp(text)?.family;
  if (family !== undefined) return whole(text, `ipv${family}`);
  const options = { extractHostname: false, validateHostname: false, detectIp: false };
  const own = parse(text, { ...options, allowPrivateDomains: true });
  // A host with an empty label (`a..b`), which the URL parser lets through, has no domain that could be registered.
  if (own.domain?.startsWith('.')) return whole(text, 'name');
  const registry = own.isPrivate ? parse(text, options) : own;
  return {
    text,
    kind: 'name',
    suffix: own.publicSuffix ?? '',
    site: own.domain ?? text,
    registrable: registry.domain,
    subdomain: own.subdomain ?? '',
  };
}

function whole(text: string, kind: Host['kind']): Host {
  return { text, kind, suffix: '', site: text, registrable: null, subdomain: '' };
}

/** A label that is empty, of hyphens alone, or longer than DNS can hold (RFC 1035 §2.3.4). */
const IMPOSSIBLE_LABEL = /(?:^|\.)(?:-*|[^.]{64,})(?:\.|$)/;

/**
 * Why no public name server can answer for a name: a label is empty or too long, or it ends in no top-level domain that the
 * public suffix list knows. Null for an address, and for a name of one label, which a local resolver completes.
 */
export function impossibleName({ text, kind }: Pick<Host, 'text' | 'kind'>): 'label' | 'suffix' | null {
  if (kind !== 'name') return null;
  if (text.length > MAX_NAME_LENGTH || IMPOSSIBLE_LABEL.test(text)) return 'label';
  const topLabel = text.slice(text.lastIndexOf('.') + 1);
  if (topLabel === text || KNOWN_TOP_LABELS.has(topLabel)) return null;
  if (!isListed(text)) return 'suffix';
  if (isListed(`name.${topLabel}`)) KNOWN_TOP_LABELS.add(topLabel);
  return null;
}

function isListed(name: string): boolean {
  return parse(name, { extractHostname: false, validateHostname: false, detectIp: false }).isIcann === true;
}

/**
 * Top-level domains, found so far, under which the public suffix list knows every name: at most the 1,600 that it has. Of
 * `za`, the list knows some second levels alone, so that it never gets here.
 */
const KNOWN_TOP_LABELS = new Set<string>();

/** The part of its site that the owner chose: `example` of `www.example.co.uk`, an address whole. */
export function chosenName({ site, suffix }: Pick<Host, 'site' | 'suffix'>): string {
  return suffix === '' ? site : site.slice(0, -suffix.length - 1);
}

/** The longest name that DNS can hold (RFC 1035 §2.3.4), in characters; the URL parser takes thousands. */
export const MAX_NAME_LENGTH = 253;

/**
 * The host, and every name above it that DNS can hold, the longest first: `a.example.com`, `example.com`, `com`. An address
 * stands alone.
 */
export const suffixesOf: (host: Pick<Host, 'text' | 'kind'>) => readonly string[] = memoizeLatestTwo((host) =>
  suffixStarts(host).map((start) => host.text.slice(start)),
);

/** Returns the position of each name of {@link suffixesOf} in its text. */
export function suffixStarts({ text, kind }: Pick<Host, 'text' | 'kind'>): number[] {
  const starts = [0];
  if (kind !== 'name') return starts;
  const first = text.indexOf('.', text.length - MAX_NAME_LENGTH - 1);
  for (let dot = first; dot !== -1; dot = text.indexOf('.', dot + 1)) starts.push(dot + 1);
  return starts;
}

/**
 * Returns true if a host with all its subdomains, or the front page of a host, covers a domain; `www.` in front is
 * ignored.
 */
export function coversDomain(entry: string, domain: string): boolean {
  const host = entry.replace(/^https?:\/\/([^/?#]*)\/?$/, '$1').replace(/^www\./, '');
  return host === domain || domain.endsWith(`.${host}`);
}

/**
 * The host of a URL in canonical form, as `Host.text` has it, cut out of it without parsing. A form that was cut short
 * within its host has another one.
 */
export function cutHost(url: string): string {
  let start = url.indexOf('://') + 3;
  let end = url.indexOf('/', start);
  if (end === -1) end = url.length;
  const at = url.lastIndexOf('@', end);
  if (at >= start) start = at + 1;
  if (url[start] === '[') return url.slice(start + 1, url.indexOf(']', start));
  const colon = url.indexOf(':', start);
  if (colon !== -1 && colon < end) end = colon;
  return url.slice(start, url[end - 1] === '.' ? end - 1 : end);
}
