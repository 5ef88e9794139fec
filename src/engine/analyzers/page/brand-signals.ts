import type { ArgsOf } from '#src/engine/reasons/reason.ts';
import type { PageBrand, PageReading } from './brand-claim.ts';
import { type ConfiguredBrand, isOnBrandDomain } from './configured-brand.ts';
import { fingerprintPage, likeness } from './page-fingerprint.ts';
import type { PageView } from './page-view.ts';
import { findingOf, type Signal, type SignalFinding, secretsInWords } from './signal.ts';
import { squash } from './words.ts';

/** Minimum number of pages of its own site that a page links to. */
const MIN_PAGES = 2;
/** Number of own pages of an ordinary page: 87 % of 465 pages with forms link to more, none of 71 phishing pages. */
const MANY_PAGES = 8;
/** Minimum share of links that stay on the site. */
const MIN_STAYING = 0.55;
/** Confidence from which a claim to be another brand counts. */
const MIN_CLAIM = 0.3;

/** Weight of each feature of its own site that a page shows. */
const WEIGHTS = { name: 0.4, pages: 0.4, assets: 0.2, mail: 0.2 } as const;

/** The same as part of a sentence; `{pages}` is their number. */
const PHRASES = {
  name: 'it names the site',
  pages: 'leads to {pages} of its pages',
  assets: 'has its pictures and styles there',
  mail: 'gives a mail address of it',
} as const satisfies Record<keyof typeof WEIGHTS, string>;

/** English phrase for a feature of its own site that a page shows. */
export type OwnSitePhrase = (typeof PHRASES)[keyof typeof PHRASES];

/**
 * The page belongs to the requested site: it has its name, pages, pictures and styles, or mail addresses. An attacker
 * can write all of this, so it counts little, and not at all on a platform, in the name of another brand, or on another
 * site than the requested one.
 */
export const atHome: Signal<'page.at_home'> = (page) => {
  const { location, claim } = page;
  const passesForAnother = claim !== null && !claim.isOwn && claim.confidence >= MIN_CLAIM;
  if (location.host.kind !== 'name' || page.isShared || page.isCut || page.isElsewhere || passesForAnother) return null;
  const pages = ownPages(page);
  if (pages < MIN_PAGES) return null;
  const { site } = location.host;
  const signals = [
    { is: page.namesItsSite, weight: WEIGHTS.name, phrase: PHRASES.name },
    {
      is: true,
      weight: WEIGHTS.pages * Math.min(1, pages / MANY_PAGES),
      phrase: PHRASES.pages.replace('{pages}', String(pages)),
    },
    { is: keepsAssetsThere(page), weight: WEIGHTS.assets, phrase: PHRASES.assets },
    { is: hasMailAddress(page, site), weight: WEIGHTS.mail, phrase: PHRASES.mail },
  ].filter(({ is }) => is);
  const value = signals.reduce((sum, { weight }) => sum + weight, 0);
  return findingOf({ site, signs: signals.map(({ phrase }) => phrase).join(', ') }, value);
};

/** Returns the number of pages of its own site that the page links to; 0 if too many of its links lead away. */
function ownPages({ document, foreignHost }: PageReading): number {
  const links = document.links.flatMap(({ url }) => (url !== null && /^https?:/.test(url) ? [url] : []));
  const own = links.filter((url) => foreignHost(url) === null);
  if (own.length < links.length * MIN_STAYING) return 0;
  return new Set(own.map((url) => url.replace(/[?#].*$/s, ''))).size;
}

function keepsAssetsThere({ document, foreignHost }: PageReading): boolean {
  const assets = document.assets.flatMap(({ url }) => url ?? []);
  const own = assets.filter((url) => foreignHost(url) === null);
  return own.length > 0 && own.length >= assets.length / 2;
}

function hasMailAddress({ document }: PageReading, site: string): boolean {
  const address = `@${site}`;
  return document.visibleText.includes(address) || document.links.some(({ href }) => href.includes(address));
}

/** Of 241,934 pairs of login pages of different sites, 20 were more alike than this, nearly all of one owner. */
const MIN_LIKENESS = 0.4;

type Clone = SignalFinding<ArgsOf<'page.own_brand_clone'>>;

/**
 * Returns a finding if a page on another host looks like a configured page, or is a login that carries the brand's
 * name.
 */
export function configuredBrandClone(view: PageView, brands: readonly ConfiguredBrand[]): Clone | null {
  if (brands.length === 0 || brands.some((brand) => isOnBrandDomain(brand, view.location.host))) return null;
  const print = fingerprintPage(view.document);
  let best: Clone | null = null;
  const { text: host } = view.location.host;
  for (const brand of brands) {
    const alike = Math.max(0, ...brand.pages.map((page) => likeness(print, page)));
    const value = (alike - MIN_LIKENESS) / (0.9 - MIN_LIKENESS);
    if (value > 0 && value > (best?.value ?? 0)) {
      best = findingOf({ kind: 'page', brand: brand.name, host }, value);
    } else if (best === null && view.asksToLogIn && carriesName(view, brand)) {
      best = findingOf({ kind: 'name', brand: brand.name, host }, 0.6);
    }
  }
  return best;
}

function carriesName(view: PageView, brand: ConfiguredBrand): boolean {
  const name = squash(brand.name);
  const said = [view.document.title ?? '', ...view.document.headings].map(squash);
  return name.length > 3 && said.some((text) => text.includes(name));
}

/** Minimum confidence in a claim; below it the page only mentions the brand. */
const MIN_CONFIDENCE = 0.3;
/** The same for a page that asks for nothing, such as an article or a shop. */
const MIN_CONFIDENCE_UNASKED = 0.5;

/** The page asks for a secret in the name of a brand to which the site does not belong. */
export const foreignBrandAsks: Signal<'page.asks_as_foreign_brand'> = (view) => {
  const claim = view.secrets.size > 0 ? view.claim : null;
  if (claim === null || claim.isOwn || claim.confidence < MIN_CONFIDENCE) return null;
  return findingOf(
    { secrets: secretsInWords(view), ...namesOf(claim, view), sign: claim.places.slice(0, 3).join(', ') },
    claim.confidence,
  );
};

/** The page presents itself as a brand without asking for a secret, like the first step of a login or a lure. */
export const foreignBrand: Signal<'page.foreign_brand'> = (view) => {
  const claim = view.secrets.size === 0 ? view.claim : null;
  const least = view.asksToLogIn ? MIN_CONFIDENCE : MIN_CONFIDENCE_UNASKED;
  if (claim === null || claim.isOwn || claim.confidence < least) return null;
  return findingOf(
    { ...namesOf(claim, view), sign: claim.places.slice(0, 3).join(', ') },
    claim.confidence * (view.asksToLogIn ? 1 : 0.5),
  );
};

/** The page belongs to the brand that it presents itself as. */
export const ownBrand: Signal<'page.own_brand'> = (view) => {
  const { claim } = view;
  if (claim === null || !claim.isOwn) return null;
  return findingOf(namesOf(claim, view), claim.confidence);
};

function namesOf({ brand: { name } }: PageBrand, { location: { host } }: PageView) {
  return { brand: name, site: host.site, owner: name };
}
