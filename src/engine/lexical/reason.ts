import type { HostKind } from '#src/core/knowledge/hosts/host-kinds.ts';
import type { ColumnGroup } from './column-groups.ts';
import { FEATURE_COLUMNS } from './features.ts';
import { countLoginWords } from './path-features.ts';
import type { UrlParts } from './url-parts.ts';

const PLATFORMS = {
  builder: 'a website builder',
  free_hosting: 'a free host',
  app: 'a platform for web apps',
  code: 'a platform for code',
  storage: 'a file store',
  tunnel: 'a tunnel to a private computer',
  document: 'a document platform',
  form: 'a form platform',
  blog: 'a blog platform',
  shop: 'a shop platform',
  mail_tool: 'a mailing tool',
  cdn: 'a network that delivers files',
  reseller_suffix: 'a suffix that is resold',
  translator: 'a translator',
  dynamic_dns: 'a dynamic-DNS name',
  shortener: 'a link shortener',
  link_in_bio: 'a link-in-bio page',
  ipfs_gateway: 'an IPFS gateway',
  redirector: 'a redirector',
} as const satisfies Readonly<Record<HostKind, string>>;

/** What a platform offers, as it stands in a sentence. */
export type PlatformName = (typeof PLATFORMS)[HostKind];

const column = (name: string) => FEATURE_COLUMNS.indexOf(name);
const LABEL_DIGITS = column('label_digits');
const LABEL_HYPHENS = column('label_hyphens');
const LABEL_SURPRISE = column('label_mean_surprise');
const LABEL_LENGTH = column('label_length');
const SUBDOMAIN_SURPRISE = column('subdomain_mean_surprise');
const SUBDOMAIN_LABELS = column('subdomain_labels');
const SUFFIX_LIKE = column('suffix_like_part');
const SEGMENT_SURPRISE = column('last_segment_mean_surprise');
const SEGMENT_LENGTH = column('last_segment_length');

/** Bits a letter above which a name reads as random: the 90th percentile of popular names. */
const RANDOM_BITS = 4.6;

/** Shorter texts surprise by chance. */
const RANDOM_LENGTH = 10;

/** What speaks for no site by being there; that it does at times is how the model divides its sum among columns. */
const SUSPICIOUS: ReadonlySet<ColumnGroup> = new Set<ColumnGroup>(['platform', 'brand', 'address', 'login_words']);

/** What a group is explained by. */
export interface ExplainedGroup {
  readonly parts: UrlParts;
  /** The columns of the URL. */
  readonly row: Float32Array;
  /** What the group adds; its sign says which way it counts. */
  readonly logOdds: number;
  /** Whether the URL imitates a brand: then its name does not read like an ordinary site's, whatever its letters do. */
  readonly isImitation: boolean;
}

/**
 * A sentence that names what was seen of a group; null where there is nothing to point at, or nothing that anybody would
 * call a reason.
 */
export function explainGroup(group: ColumnGroup, { parts, row, logOdds, isImitation }: ExplainedGroup): string | null {
  const against = logOdds > 0;
  if (!against && SUSPICIOUS.has(group)) return null;
  switch (group) {
    case 'suffix':
      if (parts.suffix === '') return null;
      return `of the names known under .${parts.suffix}, ${against ? 'many' : 'few'} are phishing`;
    case 'name':
      return !against && isImitation ? null : explainName(parts, row, against);
    case 'platform':
      if (parts.platform) return `it is published on ${PLATFORMS[parts.platform]} (${parts.suffix || parts.host})`;
      return parts.isHosted ? `anybody can publish under ${parts.suffix}` : null;
    case 'brand':
      // The evidence on brands says whose name stands there, and where its owner is.
      return null;
    case 'address':
      return explainAddress(parts);
    case 'subdomain':
      return explainSubdomain(parts, row, against);
    case 'login_words':
      return explainLoginWords(parts);
    case 'path':
      if (parts.path === '') return null;
      if (against && (row[SEGMENT_SURPRISE] ?? 0) > RANDOM_BITS && (row[SEGMENT_LENGTH] ?? 0) >= RANDOM_LENGTH) {
        return 'the path ends in random-looking characters';
      }
      return `the path “/${wholeSegments(parts.path)}” is like those of ${side(against)}`;
    case 'query':
      if (parts.query === '') return null;
      return `the query is like those of ${side(against)}`;
    case 'words':
      return `its words, taken together, are like those of ${side(against)}`;
    case 'other':
      return null;
  }
}

function explainName({ label, isAddress }: UrlParts, row: Float32Array, against: boolean): string | null {
  const name = shorten(label);
  if (isAddress) return against ? 'an IP address stands in place of a name' : null;
  // Its letters are a code, of which the letters of the name are the reason.
  if (label.startsWith('xn--')) return null;
  if (!against) return `“${name}” reads like the name of an ordinary site`;
  if ((row[LABEL_HYPHENS] ?? 0) >= 2) return `“${name}” is a name of many parts joined by hyphens`;
  if ((row[LABEL_SURPRISE] ?? 0) > RANDOM_BITS) return `“${name}” is a random-looking name`;
  if ((row[LABEL_DIGITS] ?? 0) >= 3) return `“${name}” is a name with many digits`;
  if ((row[LABEL_LENGTH] ?? 0) >= 20) return `“${name}” is an unusually long name`;
  return `“${name}” is put together like the names of phishing sites`;
}

function explainAddress({ isAddress, hasOddPort, hasCredentials, host }: UrlParts): string | null {
  if (isAddress) return `the host is the IP address ${host}`;
  if (hasCredentials) return 'a user name stands in front of the host';
  if (hasOddPort) return 'the port is an unusual one';
  return host.includes('xn--') ? 'the host is written in another script' : null;
}

function explainSubdomain({ subdomain }: UrlParts, row: Float32Array, against: boolean): string | null {
  if (subdomain === '') return null;
  if (against && (row[SUFFIX_LIKE] ?? 0) > 0)
    return `“${shorten(subdomain)}” in front of the name looks like a domain itself`;
  if (against && (row[SUBDOMAIN_LABELS] ?? 0) >= 3)
    return `${row[SUBDOMAIN_LABELS]} subdomains stand in front of the name`;
  if (against && (row[SUBDOMAIN_SURPRISE] ?? 0) > RANDOM_BITS)
    return `“${shorten(subdomain)}” is a random-looking subdomain`;
  return `the subdomain “${shorten(subdomain)}” is like those of ${side(against)}`;
}

function explainLoginWords({ host, path }: UrlParts): string | null {
  const inHost = countLoginWords(host);
  const inPath = countLoginWords(path);
  if (inHost + inPath === 0) return null;
  return `words such as login or verify stand in the ${inHost > 0 ? (inPath > 0 ? 'host and the path' : 'host') : 'path'}`;
}

function side(against: boolean): string {
  return against ? 'phishing sites' : 'ordinary sites';
}

/** The longest path in a sentence; what the record keeps of it is shorter, but cut once secrets are masked. */
const MAX_PATH = 160;

/** A path, or its first segments: no half of one is left, in which a secret would not be known for one. */
function wholeSegments(path: string): string {
  return path.length <= MAX_PATH ? path : `${path.slice(0, path.lastIndexOf('/', MAX_PATH) + 1)}…`;
}

/** Cuts what belongs to a host, which is public in any case. */
function shorten(text: string): string {
  return text.length <= 48 ? text : `${text.slice(0, 47)}…`;
}
