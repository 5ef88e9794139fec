import { type Cidr, formatCidr, prefixOf } from '#src/core/base/addresses/ip.ts';
import { suffixesOf } from '#src/core/url/host.ts';
import { authorityOf } from '#src/network/lists/stored/stored-entry.ts';
import { escapeExpression } from '#src/parts/export/stix.ts';
import {
  type BlockedEntry,
  type BlockedPlace,
  type BlockWriting,
  blockedPlaceOf,
  type Omission,
} from './block-list.ts';

/** The longest line that Squid reads whole is twice as long, in characters. */
const MAX_LINE = 4000;

/** ACL types of Squid; `-n` compares the URL's host without resolving it. */
const ACL_TYPES = {
  domains: 'dstdomain -n',
  hosts: 'dstdomain -n',
  addresses: 'dst -n',
  urls: 'url_regex',
} as const;

type AclKind = keyof typeof ACL_TYPES;

/** The values of each ACL. */
type Acls = Readonly<Record<AclKind, readonly string[]>>;

const KINDS = ['domains', 'hosts', 'addresses', 'urls'] as const satisfies readonly AclKind[];

/**
 * Writes a part of squid.conf to include before the allowing rules: ACLs of blocked and exempted places, and the
 * denying rules. For https, Squid sees only the host unless it decrypts the connection (`ssl_bump`).
 */
export function* writeSquidAcl({ blocked, allowed, source, omit }: BlockWriting): Generator<string> {
  yield `# What lurecheck on ${source} blocks. In squid.conf, include this file before whatever allows.\n`;
  const [outside, within] = [blocked.filter((one) => !one.isInAllowed), blocked.filter((one) => one.isInAllowed)];
  const groups = {
    blocked: aclsOf(outside, omit),
    allowed: aclsOf(
      allowed.map((entry) => ({ entry, isExact: false })),
      () => omit('within'),
    ),
    blocked_within: aclsOf(within, omit),
  };
  for (const [group, acls] of Object.entries(groups)) {
    for (const kind of KINDS)
      for (const value of acls[kind]) yield `acl ${nameOf(group, kind)} ${ACL_TYPES[kind]} ${value}\n`;
  }
  const exceptions = filled(groups.allowed).map((kind) => ` !${nameOf('allowed', kind)}`);
  for (const kind of filled(groups.blocked_within)) yield `http_access deny ${nameOf('blocked_within', kind)}\n`;
  for (const kind of filled(groups.blocked))
    yield `http_access deny ${nameOf('blocked', kind)}${exceptions.join('')}\n`;
}

function nameOf(group: string, kind: AclKind): string {
  return `lurecheck_${group}_${kind}`;
}

function filled(acls: Acls): AclKind[] {
  return KINDS.filter((kind) => acls[kind].length > 0);
}

function aclsOf(entries: readonly Pick<BlockedEntry, 'entry' | 'isExact'>[], omit: (reason: Omission) => void): Acls {
  const found = entries.map(({ entry, isExact }) => ({ place: blockedPlaceOf(entry), isExact }));
  const places = found.map(({ place }) => place);
  const names = places.filter((place) => place.kind === 'name');
  const urls = found.flatMap(({ place, isExact }) =>
    place.kind === 'name' || place.kind === 'block' ? [] : [expressionOf(place, isExact)],
  );
  const short = urls.filter((url) => url.length <= MAX_LINE);
  for (let length = short.length; length < urls.length; length++) omit('length');
  return {
    domains: widestNames(names.filter(({ hasSubdomains }) => hasSubdomains).map(({ name }) => name)).map(
      (name) => `.${name}`,
    ),
    hosts: [...new Set(names.filter(({ hasSubdomains }) => !hasSubdomains).map(({ name }) => name))],
    addresses: widestBlocks(places.flatMap((place) => (place.kind === 'block' ? [place.block] : []))),
    urls: [...new Set(short)],
  };
}

/** The names that lie under none of the others: Squid refuses a list that holds both. */
function widestNames(names: readonly string[]): string[] {
  const all = new Set(names);
  return [...all].filter(
    (name) =>
      !suffixesOf({ text: name, kind: 'name' })
        .slice(1)
        .some((above) => all.has(above)),
  );
}

/** The blocks that lie in none of the others. */
function widestBlocks(blocks: readonly Cidr[]): string[] {
  const all = new Set(blocks.map(formatCidr));
  const lengths = [...new Set(blocks.map(({ bits }) => bits))];
  const isWithin = ({ network, bits }: Cidr) =>
    lengths.some((fewer) => fewer < bits && all.has(formatCidr(prefixOf(network, fewer))));
  return [...new Set(blocks.filter((block) => !isWithin(block)).map(formatCidr))];
}

/** An extended regular expression (POSIX) that finds the URLs of a place. */
function expressionOf(place: Extract<BlockedPlace, { readonly path: string }>, isExact: boolean): string {
  const port = place.port === null ? '(:80|:443)?' : '';
  const beginning = `^https?://${escapeExpression(authorityOf(place))}${port}${escapeExpression(place.path)}`;
  if (place.kind === 'beginning') return beginning;
  const query = place.query === '' ? '' : escapeExpression(`?${place.query}`);
  if (isExact) return `${beginning}${query}$`;
  if (query !== '') return `${beginning}${query}(&|$)`;
  return place.path.endsWith('/') ? beginning : `${beginning}([/?]|$)`;
}
