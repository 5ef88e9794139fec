import type { PageReading } from './brand-claim.ts';
import { findingOf, type Signal } from './signal.ts';

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
