import type { HostKind } from '#src/core/knowledge/hosts/host-kinds.ts';
import type { ArgsOf, ReasonCode } from '#src/engine/reasons/reason.ts';
import { COLUMNS, FEATURE_COLUMNS } from './features.ts';
import { countLoginWords } from './path-features.ts';
import type { UrlParts } from './url-parts.ts';

/** Subjects of reasons; each column of the model belongs to one group. */
export const COLUMN_GROUPS = [
  'suffix',
  'name',
  'platform',
  'brand',
  'address',
  'subdomain',
  'login_words',
  'path',
  'query',
  'words',
  'other',
] as const;

type ColumnGroup = (typeof COLUMN_GROUPS)[number];

const RULES: readonly (readonly [RegExp, ColumnGroup])[] = [
  [/login_words$/, 'login_words'],
  [/^(?:suffix_(?:prior|count|length|labels)|ngrams_suffix)$/, 'suffix'],
  [/^(?:brand_|.*_popular(?:_elsewhere)?$)/, 'brand'],
  [/^(?:hosted|platform)$/, 'platform'],
  [/^(?:address|odd_port|credentials|punycode)$/, 'address'],
  [/^(?:label_|longest_label_part|ngrams_(?:label|shape|cross|host))/, 'name'],
  [/^(?:subdomain_|ngrams_subdomain|suffix_like_part)/, 'subdomain'],
  [/^ngrams_(?:words|pairs)$/, 'words'],
  [/query/, 'query'],
  [/^(?:path_|last_segment_|ngrams_(?:path|behind_host))/, 'path'],
];

/** Group of each column, as an index into {@link COLUMN_GROUPS}. */
export const COLUMN_GROUP: Uint8Array = Uint8Array.from(COLUMNS, (name) =>
  COLUMN_GROUPS.indexOf(RULES.find(([pattern]) => pattern.test(name))?.[1] ?? 'other'),
);

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

/** English name of a kind of platform in a sentence. */
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

/** Bits per letter above which a name counts as random: the 90th percentile of popular names. */
const RANDOM_BITS = 4.6;

/** Minimum length of a random text; shorter ones are surprising by chance. */
const RANDOM_LENGTH = 10;

/**
 * Groups whose presence never speaks for a site; a negative sum only results from how the model divides its output
 * among columns.
 */
const SUSPICIOUS: ReadonlySet<ColumnGroup> = new Set<ColumnGroup>(['platform', 'brand', 'address', 'login_words']);

/** Input of {@link explainGroup}. */
export interface ExplainedGroup {
  readonly parts: UrlParts;
  /** Columns of the URL. */
  readonly row: Float32Array;
  /** Contribution of the group; its sign is the direction. */
  readonly logOdds: number;
  /** True if the URL imitates a brand, so that its name must not be called ordinary. */
  readonly isImitation: boolean;
}

/** Reason of a group: code and arguments. */
export type GroupReason = {
  readonly [Code in GroupCode]: { readonly code: Code; readonly args: ArgsOf<Code> };
}[GroupCode];

type GroupCode = Extract<ReasonCode, `url.${ColumnGroup}`>;

/** Returns the reason of a group; null if there is nothing to name, or nothing that counts as a reason. */
export function explainGroup(
  group: ColumnGroup,
  { parts, row, logOdds, isImitation }: ExplainedGroup,
): GroupReason | null {
  const against = logOdds > 0;
  const kind = against ? 'phishing_like' : 'ordinary';
  if (!against && SUSPICIOUS.has(group)) return null;
  switch (group) {
    case 'suffix':
      if (parts.suffix === '') return null;
      return { code: 'url.suffix', args: { kind: against ? 'many' : 'few', suffix: parts.suffix } };
    case 'name':
      return !against && isImitation ? null : explainName(parts, row, against);
    case 'platform':
      return explainPlatform(parts);
    case 'brand':
      // The brand analyzer names the brand and its domain.
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
        return { code: 'url.path', args: { kind: 'random' } };
      }
      return { code: 'url.path', args: { kind, path: wholeSegments(parts.path) } };
    case 'query':
      return parts.query === '' ? null : { code: 'url.query', args: { kind } };
    case 'words':
      return { code: 'url.words', args: { kind } };
    case 'other':
      return null;
  }
}

function explainName({ label, isAddress }: UrlParts, row: Float32Array, against: boolean): GroupReason | null {
  if (isAddress) return against ? { code: 'url.name', args: { kind: 'address' } } : null;
  // Punycode letters would not explain anything to a reader.
  if (label.startsWith('xn--')) return null;
  return { code: 'url.name', args: { kind: against ? nameKind(row) : 'ordinary', name: shorten(label) } };
}

function nameKind(row: Float32Array) {
  if ((row[LABEL_HYPHENS] ?? 0) >= 2) return 'many_parts';
  if ((row[LABEL_SURPRISE] ?? 0) > RANDOM_BITS) return 'random';
  if ((row[LABEL_DIGITS] ?? 0) >= 3) return 'many_digits';
  return (row[LABEL_LENGTH] ?? 0) >= 20 ? 'long' : 'phishing_like';
}

function explainPlatform({ platform, isHosted, suffix, host }: UrlParts): GroupReason | null {
  if (platform) {
    return { code: 'url.platform', args: { kind: 'listed', platform: PLATFORMS[platform], suffix: suffix || host } };
  }
  return isHosted ? { code: 'url.platform', args: { kind: 'open', suffix } } : null;
}

function explainAddress({ isAddress, hasOddPort, hasCredentials, host }: UrlParts): GroupReason | null {
  const code = 'url.address';
  if (isAddress) return { code, args: { kind: 'address', address: host } };
  if (hasCredentials) return { code, args: { kind: 'user_name' } };
  if (hasOddPort) return { code, args: { kind: 'port' } };
  return host.includes('xn--') ? { code, args: { kind: 'script' } } : null;
}

function explainSubdomain({ subdomain }: UrlParts, row: Float32Array, against: boolean): GroupReason | null {
  const code = 'url.subdomain';
  const labels = row[SUBDOMAIN_LABELS] ?? 0;
  if (subdomain === '') return null;
  const named = { subdomain: shorten(subdomain) };
  if (!against) return { code, args: { kind: 'ordinary', ...named } };
  if ((row[SUFFIX_LIKE] ?? 0) > 0) return { code, args: { kind: 'domain_like', ...named } };
  if (labels >= 3) return { code, args: { kind: 'many_parts', count: labels } };
  const isRandom = (row[SUBDOMAIN_SURPRISE] ?? 0) > RANDOM_BITS;
  return { code, args: { kind: isRandom ? 'random' : 'phishing_like', ...named } };
}

function explainLoginWords({ host, path }: UrlParts): GroupReason | null {
  const inHost = countLoginWords(host) > 0;
  const inPath = countLoginWords(path) > 0;
  if (!inHost && !inPath) return null;
  return { code: 'url.login_words', args: { kind: inHost ? (inPath ? 'both' : 'host') : 'path' } };
}

/** Maximum length of a path in a sentence; the record shortens it further, after secrets are masked. */
const MAX_PATH = 160;

/**
 * Returns a path or its first segments. A segment is never cut, since a secret in half of one would not be recognized.
 */
function wholeSegments(path: string): string {
  return path.length <= MAX_PATH ? path : `${path.slice(0, path.lastIndexOf('/', MAX_PATH) + 1)}…`;
}

/** Truncates part of a host, which is public. */
function shorten(text: string): string {
  return text.length <= 48 ? text : `${text.slice(0, 47)}…`;
}
