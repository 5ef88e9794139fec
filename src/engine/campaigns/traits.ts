import type { Knowledge } from '#src/core/knowledge/index.ts';
import { COMMON_PATH_WORDS } from '#src/core/knowledge/words/path-words.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { Target } from '#src/core/url/target.ts';
import { formPrint } from './form-fingerprint.ts';
import { hasUnusualWord } from './unusual-word.ts';

/** By what the sites of one campaign resemble each other, as text; null for what a target has not, or everybody has. */
export interface Traits {
  readonly path: string | null;
  readonly form: string | null;
}

/** A target as campaigns see it. */
export interface TraitBearer {
  readonly traits: Traits;
  /** The name under which one publisher alone publishes. */
  readonly site: string;
  /** Whether it is popular, a brand's own, one that the operator taught, or the platform itself on which others publish. */
  readonly isKnown: boolean;
}

/** What the traits of a target are read by. */
export interface TraitSubject {
  readonly target: Target;
  readonly observations: Pick<Observations, 'dns' | 'page' | 'landing'>;
  readonly knowledge: Pick<Knowledge, 'brands' | 'hostFact' | 'popularityOf' | 'publisherOf'>;
}

/** The longest path that is looked at, in characters. */
const MAX_PATH = 512;

/** What a target may share with others of a campaign; null for a name that does not exist, which anybody can make up. */
export function readTraits({ target, observations, knowledge }: TraitSubject): TraitBearer | null {
  const { dns } = observations;
  if (dns.state === 'failed' && dns.failure.code === 'dns_nxdomain') return null;
  const site = knowledge.publisherOf(target.host);
  const traits = { path: unusualPath(target), form: formPrint(observations) };
  return { traits, site, isKnown: isKnownSite(target, site, knowledge) };
}

function isKnownSite(target: Target, site: string, knowledge: TraitSubject['knowledge']): boolean {
  const platform = knowledge.hostFact(target.host)?.domain ?? '';
  return (
    site.length <= platform.length ||
    knowledge.popularityOf(target) !== null ||
    knowledge.brands.ownersOf(target.host).length > 0
  );
}

/** The path without a final slash, where it has a word that no other site's would happen to have. */
function unusualPath({ path }: Target): string | null {
  return path.length <= MAX_PATH && hasUnusualWord(path, COMMON_PATH_WORDS) ? path.replace(/\/$/, '') : null;
}
