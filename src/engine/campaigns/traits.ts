import type { Knowledge } from '#src/core/knowledge/index.ts';
import { COMMON_PATH_WORDS } from '#src/core/knowledge/words/path-words.ts';
import type { Target } from '#src/core/url/target.ts';
import type { Observations } from '#src/network/probes/observations.ts';

/** Runs of letters that are too long for a language code, a version or part of a random number. */
const WORDS = /\p{L}{4,}/gu;

/** Returns true if a text has a word that is not common. A text without one was not chosen by one author. */
function hasUnusualWord(text: string, common: ReadonlySet<string>): boolean {
  return (text.toLowerCase().match(WORDS) ?? []).some((word) => !common.has(word));
}

/** Kinds of fields that ask for secrets. */
const SECRETS = /^(?:password|card_number|card_code|one_time_code|seed_phrase|identity_number|bank_account)$/;

/** Maximum number of fields that count. */
const MAX_FIELDS = 60;

/**
 * Returns the form that asks for a secret, with the title of its page, as text; null if there is none or the title is
 * common. Uses only what the serving thread has of a page. The page of another site on which a link ended does not
 * count.
 */
export function formFingerprint({ page, landing }: Pick<Observations, 'page' | 'landing'>): string | null {
  const document = page.state === 'observed' && landing === null ? page.value.document : null;
  if (document === null) return null;
  const { title, forms } = document;
  if (title === null || !hasUnusualWord(title, COMMON_PATH_WORDS)) return null;
  const form = forms.find(({ fields }) => fields.some(({ kind }) => SECRETS.test(kind)));
  if (form === undefined) return null;
  const fields = form.fields.slice(0, MAX_FIELDS).map(({ name, type }) => `${name} ${type}`);
  return JSON.stringify([title.toLowerCase(), form.method, ...fields]);
}

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
