import type { PageReading } from './page-reading.ts';
import { found, type Sign } from './signal.ts';

/** A page that leads to fewer pages of its own site belongs to none. */
const LEAST_PAGES = 2;
/** As many as an ordinary page leads to: 87 % of 465 pages with forms lead to more, none of 71 phishing pages. */
const MANY_PAGES = 8;
/** Below this share of links that stay, the page leads away. */
const LEAST_STAYING = 0.55;
/** From here on a claim to be somebody else is believed. */
const CLAIMED = 0.3;

/** What each thing that a page shows of its own site is worth. */
const WORTH = { name: 0.4, pages: 0.4, assets: 0.2, mail: 0.2 } as const;

/** The same in a sentence; `{pages}` is their number. */
const SAID = {
  name: 'it names the site',
  pages: 'leads to {pages} of its pages',
  assets: 'has its pictures and styles there',
  mail: 'gives a mail address of it',
} as const satisfies Record<keyof typeof WORTH, string>;

/** Something of its own site that a page shows, as it stands in a sentence. */
export type HomeSaid = (typeof SAID)[keyof typeof SAID];

/**
 * What the page shows belongs to the site that was asked for: its name, pages of it, pictures and styles, mail addresses.
 * Whoever makes a page can write all of this, so it is worth little, and nothing on a platform, in another's name, or
 * where the link led elsewhere.
 */
export const atHome: Sign = (page) => {
  const { location, claim } = page;
  const passesForAnother = claim !== null && !claim.isOwn && claim.confidence >= CLAIMED;
  if (location.host.kind !== 'name' || page.isShared || page.isCut || page.isElsewhere || passesForAnother) return null;
  const pages = ownPages(page);
  if (pages < LEAST_PAGES) return null;
  const { site } = location.host;
  const signs = [
    { is: page.namesItsSite, worth: WORTH.name, said: SAID.name },
    {
      is: true,
      worth: WORTH.pages * Math.min(1, pages / MANY_PAGES),
      said: SAID.pages.replace('{pages}', String(pages)),
    },
    { is: keepsAssetsThere(page), worth: WORTH.assets, said: SAID.assets },
    { is: hasMailAddress(page, site), worth: WORTH.mail, said: SAID.mail },
  ].filter(({ is }) => is);
  const value = signs.reduce((sum, { worth }) => sum + worth, 0);
  return found(`What the page shows belongs to ${site}: ${signs.map(({ said }) => said).join(', ')}`, value);
};

/** How many different pages of its own site the page leads to; 0 where too many of its links lead away. */
function ownPages({ document, foreignHost }: PageReading): number {
  const links = document.links.flatMap(({ url }) => (url !== null && /^https?:/.test(url) ? [url] : []));
  const own = links.filter((url) => foreignHost(url) === null);
  if (own.length < links.length * LEAST_STAYING) return 0;
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
