import type { Knowledge } from '#src/core/knowledge/index.ts';
import { COMMON_PATH_WORDS } from '#src/core/knowledge/words/path-words.ts';
import type { Target } from '#src/core/url/target.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import { formFingerprint } from './form-fingerprint.ts';
import { hasUnusualWord } from './unusual-word.ts';

/**
 * Traits by which sites of one campaign resemble each other, as text; null if a target has none or only a common one.
 */
export interface Traits {
  readonly path: string | null;
  readonly form: string | null;
}

/** A target with its traits. */
export interface TraitBearer {
  readonly traits: Traits;
  /** Site of one publisher. */
  readonly site: string;
  /** True if it is popular, a brand's own, configured, or the platform itself on which others publish. */
  readonly isKnown: boolean;
}

/** Input of {@link readTraits}. */
export interface TraitSubject {
  readonly target: Target;
  readonly observations: Pick<Observations, 'dns' | 'page' | 'landing'>;
  readonly knowledge: Pick<Knowledge, 'brands' | 'hostFact' | 'popularityOf' | 'publisherOf'>;
}

/** Maximum length of a path, in characters. */
const MAX_PATH = 512;

/** Returns the traits of a target; null if its name does not exist, since a client can invent such names. */
export function readTraits({ target, observations, knowledge }: TraitSubject): TraitBearer | null {
  const { dns } = observations;
  if (dns.state === 'failed' && dns.failure.code === 'dns_nxdomain') return null;
  const site = knowledge.publisherOf(target.host);
  const traits = { path: unusualPath(target), form: formFingerprint(observations) };
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

/** Returns the path without a final slash if it has an uncommon word; otherwise null. */
function unusualPath({ path }: Target): string | null {
  return path.length <= MAX_PATH && hasUnusualWord(path, COMMON_PATH_WORDS) ? path.replace(/\/$/, '') : null;
}
