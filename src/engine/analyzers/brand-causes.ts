import type { BrandMatch } from '#src/core/knowledge/brands/brand-match.ts';
import type { HostKind } from '#src/core/knowledge/hosts/host-kinds.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { Target } from '#src/core/url/target.ts';
import type { ArgsOf, OmitEach } from '#src/engine/reasons/reason.ts';

/** This many digits in a host are a serial number, not a name. */
const MANY_DIGITS = 5;

/**
 * Code hosts, help desks and content networks: they also carry the brands' own projects, and thousands named after
 * them.
 */
const USED_BY_OWNERS: ReadonlySet<HostKind> = new Set(['code', 'mail_tool', 'cdn']);

/** Minimum length of a lure; shorter words (`com`, `get`, `my`) are everywhere. */
const MIN_LURE = 4;

/** Evidence beside the name itself that a brand is imitated, in the terms of a host. */
export type SecondCause = OmitEach<ArgsOf<'brand.common_word_with_cause'>, 'found' | 'domain' | 'brand'>;

/**
 * Returns the causes, the strongest first. `watched` marks a configured brand, and is never the only cause that is
 * named.
 */
export function secondCauses(
  match: BrandMatch,
  target: Target,
  knowledge: Knowledge,
): readonly (SecondCause | 'watched')[] {
  const causes: (SecondCause | 'watched')[] = [];
  const lure = lureBeside(match, target, knowledge);
  if (lure !== null) causes.push({ kind: 'lure', lure });
  const { host } = target;
  if (knowledge.cheapSuffixes.has(host.suffix)) causes.push({ kind: 'suffix', suffix: host.suffix });
  const platform = knowledge.hostFact(host);
  if (platform && !USED_BY_OWNERS.has(platform.kind)) {
    causes.push({ kind: 'platform', platform: platform.domain });
  }
  if (match.part !== 'path' && digitsIn(host.text) >= MANY_DIGITS) causes.push({ kind: 'serial_number' });
  if (isLikelyTarget(match)) causes.push('watched');
  return causes;
}

/**
 * Returns true for a configured brand, a likely target here. Ordinary words and paths, which others link to, are
 * excluded.
 */
function isLikelyTarget({ brand, part, weight }: BrandMatch): boolean {
  return brand.isConfigured && part !== 'path' && weight !== 'second_cause';
}

/** Returns a word such as login or verify in the host or at the start of the path, other than the name itself. */
function lureBeside(match: BrandMatch, { host, path }: Target, knowledge: Knowledge): string | null {
  const { text, suffix } = host;
  const names = suffix === '' ? text : text.slice(0, -suffix.length - 1);
  // For a name within a longer word, a sign-in path is no cause: honest sites have one as well.
  const isWithin = match.weight === 'second_cause' && (match.extent === 'edge' || match.extent === 'inside');
  const words = `${names} ${isWithin ? '' : path.slice(0, 100).toLowerCase()}`.split(/[^a-z]+/);
  for (const word of words) {
    if (word.length >= MIN_LURE && word !== match.matched && knowledge.lureWords.has(word)) return word;
    const rest = word.length > match.matched.length ? word.replace(match.matched, '') : word;
    if (rest !== word && rest.length >= MIN_LURE && knowledge.lureWords.has(rest)) return rest;
  }
  return null;
}

function digitsIn(host: string): number {
  return host.replace(/\D+/g, '').length;
}
