import type { BrandMatch } from '#src/core/knowledge/brands/brand-match.ts';
import type { HostKind } from '#src/core/knowledge/hosts/host-kinds.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { Target } from '#src/core/url/target.ts';

/** This many digits in a host are a serial number, not a name. */
const MANY_DIGITS = 5;

/** Code hosts, help desks and content networks carry the brands' own projects, and thousands that are named after them. */
const OF_OWNERS_TOO: ReadonlySet<HostKind> = new Set(['code', 'mail_tool', 'cdn']);

/** Shorter ones (`com`, `get`, `my`) stand everywhere. */
const MIN_LURE = 4;

/** What, beside the name itself, speaks for a brand being imitated, each as the end of a sentence; strongest first. */
export function secondCauses(match: BrandMatch, target: Target, knowledge: Knowledge): readonly string[] {
  const causes: string[] = [];
  const lure = lureBeside(match, target, knowledge);
  if (lure !== null) causes.push(`“${lure}” beside it`);
  const { host } = target;
  if (knowledge.cheapSuffixes.has(host.suffix)) causes.push(`the suffix .${host.suffix} is often used for phishing`);
  const platform = knowledge.hostFact(host);
  if (platform && !OF_OWNERS_TOO.has(platform.kind)) causes.push(`anyone can publish under ${platform.domain}`);
  if (match.part !== 'path' && digitsIn(host.text) >= MANY_DIGITS) causes.push('the host carries a serial number');
  if (isWatchedOver(match)) causes.push(`this box watches over ${match.brand.name}`);
  return causes;
}

/** A brand that the operator taught is the one to be imitated here; but an ordinary word stays one, and others link to it. */
function isWatchedOver({ brand, part, weight }: BrandMatch): boolean {
  return brand.isTaught && part !== 'path' && weight !== 'second_cause';
}

/** A word such as login or verify in the host, or in the first part of the path, other than the name itself. */
function lureBeside(match: BrandMatch, { host, path }: Target, knowledge: Knowledge): string | null {
  const { text, suffix } = host;
  const names = suffix === '' ? text : text.slice(0, -suffix.length - 1);
  // Within a longer word, a sign-in path says nothing of the name: honest sites have one as well.
  const isWithin = match.weight === 'second_cause' && (match.extent === 'edge' || match.extent === 'inside');
  const words = `${names} ${isWithin ? '' : path.slice(0, 100).toLowerCase()}`.split(/[^a-z]+/);
  for (const word of words) {
    if (word.length >= MIN_LURE && word !== match.found && knowledge.lureWords.has(word)) return word;
    const rest = word.length > match.found.length ? word.replace(match.found, '') : word;
    if (rest !== word && rest.length >= MIN_LURE && knowledge.lureWords.has(rest)) return rest;
  }
  return null;
}

function digitsIn(host: string): number {
  return host.replace(/\D+/g, '').length;
}
