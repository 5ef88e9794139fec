import type { PageDocument } from '#src/html/document.ts';
import type { Brand } from '#src/knowledge/brands.ts';
import { brandNamesOf } from './brand-names.ts';
import { hostSet } from './host-set.ts';
import { ownLabel, type PageView } from './page-view.ts';
import { squash } from './words.ts';

/** The brand that a page presents itself as. */
export interface BrandClaim {
  readonly brand: Brand;
  /** In (0, 1]: how sure it is that a visitor takes the page for the brand's. */
  readonly confidence: number;
  /** Whether the page stands on one of the brand's own domains. */
  readonly isOwn: boolean;
  /** Where the brand was seen, the most telling first, as parts of a sentence ("the title", "the copyright line"). */
  readonly places: readonly string[];
}

/**
 * How much each place says about whose page it is, for a name that is unmistakable. Set by hand: a page's title, icon
 * and copyright line are its owner's, while texts and links name others all the time.
 */
const PLACES = {
  'the canonical address': 0.8,
  'the copyright line': 0.65,
  'the site name in its metadata': 0.6,
  'the title': 0.6,
  'an icon from its own servers': 0.75,
  'pictures and styles from its own servers': 0.6,
  'most of the links': 0.5,
  'a logo': 0.4,
  'a heading': 0.35,
  'the form': 0.35,
  'its description': 0.35,
  'its file names': 0.25,
  'the text': 0.1,
} as const;

type Place = keyof typeof PLACES;

/** Signs of an owner; the other places also name partners, payment methods and ways to sign in. */
const OWNERS_PLACES: ReadonlySet<Place> = new Set<Place>([
  'the canonical address',
  'the copyright line',
  'the site name in its metadata',
  'the title',
  'an icon from its own servers',
  'pictures and styles from its own servers',
  'a heading',
]);

/** Hosts of brands that serve everybody's pages: loading from them says nothing. */
const SHARED_SERVERS = hostSet(
  'accounts.google.com adobedtm.com amazon-adsystem.com amazonaws.com ampproject.org apis.google.com ' +
    'appleid.cdn-apple.com apps.apple.com aspnetcdn.com azureedge.net baidu.com bing.com blogger.com ' +
    'bp.blogspot.com clarity.ms cloudflare.com cloudflareinsights.com cloudfront.net connect.facebook.net ' +
    'doubleclick.net dropboxusercontent.com fbsbx.com ggpht.com github.io githubusercontent.com ' +
    'google-analytics.com googleadservices.com googleapis.com googlesyndication.com googletagmanager.com ' +
    'googleusercontent.com gravatar.com gstatic.com hubspot.com intercomcdn.com itunes.apple.com mail.ru ' +
    'maps.google.com media-amazon.com msecnd.net mzstatic.com naver.com naver.net paypalobjects.com ' +
    'platform.linkedin.com platform.twitter.com play.google.com recaptcha.net shopify.com shopifycdn.com ' +
    'ssl-images-amazon.com stripe.com typekit.net vimeo.com visualstudio.com vk.com windows.net wp.com ' +
    'www.google.com yandex.ru yimg.com youtube-nocookie.com youtube.com ytimg.com zdassets.com',
);

const COPYRIGHT = /©|\(c\)|copyright/gi;
/** How far from the mark its owner is looked for, on the same line. */
const BEFORE_COPYRIGHT = 40;
const AFTER_COPYRIGHT = 100;

const known = new WeakMap<PageView, BrandClaim | null>();

/** The brand that the page claims to be, or null where it claims none. Worked out once for each view. */
export function claimedBrand(view: PageView): BrandClaim | null {
  const before = known.get(view);
  if (before !== undefined) return before;
  const claim = strongestClaim(view);
  known.set(view, claim);
  return claim;
}

function strongestClaim(view: PageView): BrandClaim | null {
  const seenOf = new Map<Brand, Map<Place, number>>();
  const see = (brand: Brand, place: Place, weight: number) => {
    const seen = seenOf.get(brand) ?? new Map<Place, number>();
    seenOf.set(brand, seen);
    seen.set(place, Math.max(seen.get(place) ?? 0, weight * PLACES[place]));
  };
  seeNames(view, see);
  seeServers(view, see);
  let best: BrandClaim | null = null;
  for (const [brand, seen] of seenOf) {
    const isOwn = view.owners.has(brand);
    const confidence = confidenceIn(brand, seen, view);
    if (
      best === null ||
      confidence > best.confidence ||
      (isOwn && !best.isOwn && confidence >= best.confidence * 0.8)
    ) {
      best = { brand, confidence, isOwn, places: [...seen].sort((a, b) => b[1] - a[1]).map(([place]) => place) };
    }
  }
  return best;
}

function confidenceIn(brand: Brand, seen: ReadonlyMap<Place, number>, view: PageView): number {
  let doubt = 1;
  for (const weight of seen.values()) doubt *= 1 - weight;
  const hasOwnersPlace = [...seen.keys()].some((place) => OWNERS_PLACES.has(place));
  // Who puts the name of the own site on the page speaks of the brand, and does not pose as it.
  const poses = !view.namesItsSite || labelHolds(view, brand);
  // A brand's own site names its partners; where strangers publish, its owner vouches for nothing.
  const isPartner = view.owners.size > 0 && !view.owners.has(brand) && !view.isShared;
  return (1 - doubt) * (hasOwnersPlace ? 1 : 0.5) * (poses ? 1 : 0.4) * (isPartner ? 0.3 : 1);
}

function labelHolds(view: PageView, brand: Brand): boolean {
  const label = ownLabel(view.place);
  return [...brand.aliases.map((alias) => alias.name), squash(brand.name)].some(
    (name) => name.length > 2 && label.includes(name),
  );
}

type See = (brand: Brand, place: Place, weight: number) => void;

function seeNames(view: PageView, see: See): void {
  const { document } = view;
  const names = brandNamesOf(view.brands);
  const read = (place: Place, text: string, share = 1) => {
    for (const { brand, weight } of names.find(text)) see(brand, place, weight * share);
  };
  read('the title', document.title ?? '', titleShare(document.title ?? ''));
  read('the site name in its metadata', NAME_KEYS.map((key) => document.meta[key] ?? '').join(' | '));
  read('its description', DESCRIPTION_KEYS.map((key) => document.meta[key] ?? '').join(' | '));
  if (view.asksToLogIn) read('its file names', localFileNames(view));
  for (const line of copyrightLines(document)) read('the copyright line', line);
  for (const heading of document.headings.slice(0, 6)) read('a heading', heading, titleShare(heading));
  for (const text of logoTexts(document)) read('a logo', text);
  for (const form of view.forms) {
    read('the form', [...form.fields.map((field) => field.label), ...form.buttonTexts].join(' | '));
  }
  read('the text', document.visibleText.slice(0, 2000), view.asksToLogIn ? 1.5 : 1);
}

/** A long title is a headline, which names whom it is about. */
function titleShare(title: string): number {
  const words = title.split(/\s+/).length;
  return words <= 8 ? 1 : words <= 12 ? 0.6 : 0.3;
}

const NAME_KEYS = [
  'og:site_name',
  'application-name',
  'apple-mobile-web-app-title',
  'al:ios:app_name',
  'al:android:app_name',
];
const DESCRIPTION_KEYS = ['og:title', 'twitter:title', 'description', 'og:description'];

/** What the files beside the page are called, where kits keep a brand's pictures and styles under its name. */
function localFileNames(view: PageView): string {
  const local = view.document.assets.filter((asset) => asset.url !== null && view.foreign(asset.url) === null);
  return local
    .slice(0, 40)
    .map((asset) => (asset.source.split(/[?#]/, 1)[0] ?? '').slice(-80).replace(/[_\d]+/g, ' '))
    .join(' | ');
}

function copyrightLines(document: PageDocument): string[] {
  const text = document.visibleText;
  return [...text.matchAll(COPYRIGHT)].slice(-5).map(({ index }) => {
    const before =
      text
        .slice(Math.max(0, index - BEFORE_COPYRIGHT), index)
        .split('\n')
        .at(-1) ?? '';
    const after = text.slice(index, index + AFTER_COPYRIGHT).split('\n', 1)[0] ?? '';
    return before + after;
  });
}

/** The first pictures of a page are where its logo is, whatever it is called. */
const FIRST_IMAGES = 2;

function logoTexts(document: PageDocument): string[] {
  const images = document.assets.filter((asset) => asset.kind === 'image' || asset.kind === 'icon');
  return images
    .filter((asset, at) => at < FIRST_IMAGES || /logo|brand|icon/i.test(`${asset.source.slice(-80)} ${asset.alt}`))
    .slice(0, 10)
    .map(
      (asset) =>
        `${asset.alt} | ${fileName(asset.source)
          .replace(/logo|icon|brand/gi, ' ')
          .replace(/[_\d]+/g, ' ')}`,
    );
}

function fileName(address: string): string {
  return address.split(/[?#]/, 1)[0]?.split('/').at(-1)?.slice(0, 60) ?? '';
}

/** One picture is a payment mark or a badge; a style sheet, or this many pictures, make a look. */
const ENOUGH_LOADED = 3;

function seeServers(view: PageView, see: See): void {
  const { document, brands } = view;
  const { canonical = null, 'og:url': shared = null } = document.meta;
  const ownersOf = (url: string | null) => {
    const there = view.foreign(url);
    return there === null ? [] : brands.ownersOf(there);
  };
  for (const url of [canonical, shared]) {
    for (const brand of ownersOf(url)) see(brand, 'the canonical address', 1);
  }
  const loaded = new Map<Brand, number>();
  for (const asset of document.assets) {
    if (asset.kind === 'script') continue;
    const there = view.foreign(asset.url);
    if (there === null || (SHARED_SERVERS.has(there.host) && asset.kind !== 'icon')) continue;
    for (const brand of brands.ownersOf(there)) {
      if (asset.kind === 'icon') see(brand, 'an icon from its own servers', 1);
      else loaded.set(brand, (loaded.get(brand) ?? 0) + (asset.kind === 'style' ? ENOUGH_LOADED : 1));
    }
  }
  for (const [brand, count] of loaded) {
    see(brand, 'pictures and styles from its own servers', Math.min(1, count / ENOUGH_LOADED));
  }
  const links = document.links.filter((link) => link.url !== null);
  const counts = new Map<Brand, number>();
  for (const link of links) for (const brand of ownersOf(link.url)) counts.set(brand, (counts.get(brand) ?? 0) + 1);
  for (const [brand, count] of counts) {
    const share = count / links.length;
    if (share >= 0.5) see(brand, 'most of the links', share * Math.min(1, count / 3));
  }
}
