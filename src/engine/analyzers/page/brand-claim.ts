import type { Brand } from '#src/core/knowledge/brands/brands.ts';
import { SHARED_SERVERS } from '#src/core/knowledge/hosts/page-hosts.ts';
import type { PageDocument } from '#src/network/html/document.ts';
import { brandNamesOf } from './brand-names.ts';
import { ownLabel, type PageView, type ViewSubject, viewPage } from './page-view.ts';
import { fileNameOf, squash } from './words.ts';

/**
 * Confidence that each place identifies the owner of the page, for an unambiguous name. Set by hand: title, icon and
 * copyright line are the owner's, while texts and links often name others.
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

/** Place on a page where a brand can appear. */
export type Place = keyof typeof PLACES;

/** Places of the owner; the others also name partners, payment methods and sign-in providers. */
const OWNERS_PLACES: ReadonlySet<Place> = new Set<Place>([
  'the canonical address',
  'the copyright line',
  'the site name in its metadata',
  'the title',
  'an icon from its own servers',
  'pictures and styles from its own servers',
  'a heading',
]);

/** Notes a brand that appears in a place; `weight` in (0, 1] is the confidence that it is that brand. */
export type NoteBrand = (brand: Brand, place: Place, weight: number) => void;

/** Brand that a page presents itself as. */
export interface PageBrand {
  readonly brand: Brand;
  /** Confidence that a visitor takes the page for the brand's, in (0, 1]. */
  readonly confidence: number;
  /** True if the page stands on one of the brand's own domains. */
  readonly isOwn: boolean;
  /**
   * Places where the brand appears, the most significant first, as parts of a sentence ("the title", "the copyright
   * line").
   */
  readonly places: readonly string[];
}

/** Returns the brand that the page presents itself as; null if none. */
function claimedBrand(view: PageView): PageBrand | null {
  const seenOf = new Map<Brand, Map<Place, number>>();
  const note: NoteBrand = (brand, place, weight) => {
    const seen = seenOf.get(brand) ?? new Map<Place, number>();
    seenOf.set(brand, seen);
    seen.set(place, Math.max(seen.get(place) ?? 0, weight * PLACES[place]));
  };
  noteNames(view, note);
  noteServers(view, note);
  let best: PageBrand | null = null;
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
  // A page that names its own site mentions the brand rather than poses as it.
  const poses = !view.namesItsSite || labelHolds(view, brand);
  // A brand's own site names its partners; on a platform, the owner does not vouch for content.
  const isPartner = view.owners.size > 0 && !view.owners.has(brand) && !view.isShared;
  return (1 - doubt) * (hasOwnersPlace ? 1 : 0.5) * (poses ? 1 : 0.4) * (isPartner ? 0.3 : 1);
}

function labelHolds(view: PageView, brand: Brand): boolean {
  const label = ownLabel(view.location.host);
  return [...brand.aliases.map((alias) => alias.name), squash(brand.name)].some(
    (name) => name.length > 2 && label.includes(name),
  );
}

const COPYRIGHT = /©|\(c\)|copyright/gi;
/** Characters before and after the mark in which its owner is searched, on the same line. */
const BEFORE_COPYRIGHT = 40;
const AFTER_COPYRIGHT = 100;

/** Passes to `note` every brand that the text of a page names, by place. */
function noteNames(view: PageView, note: NoteBrand): void {
  const { document } = view;
  const names = brandNamesOf(view.brands);
  const read = (place: Place, text: string, share = 1) => {
    for (const { brand, weight } of names.find(text)) note(brand, place, weight * share);
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

/** Returns the weight of a title by its length; a long one is a headline, which names its subject. */
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

/** Returns the names of the files beside the page; kits name a brand's pictures and styles after it. */
function localFileNames(view: PageView): string {
  const local = view.document.assets.filter((asset) => asset.url !== null && view.foreignHost(asset.url) === null);
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

/** The logo is among the first pictures of a page, whatever its name. */
const FIRST_IMAGES = 2;

function logoTexts(document: PageDocument): string[] {
  const images = document.assets.filter((asset) => asset.kind === 'image' || asset.kind === 'icon');
  return images
    .filter((asset, at) => at < FIRST_IMAGES || /logo|brand|icon/i.test(`${asset.source.slice(-80)} ${asset.alt}`))
    .slice(0, 10)
    .map(
      (asset) =>
        `${asset.alt} | ${fileNameOf(asset.source)
          .slice(0, 60)
          .replace(/logo|icon|brand/gi, ' ')
          .replace(/[_\d]+/g, ' ')}`,
    );
}

/** Pictures that make the look of a brand, as one style sheet does; a single one is a badge or payment mark. */
const MIN_LOADED = 3;

/** Passes to `note` every brand whose servers a page points to or loads from. */
function noteServers(view: PageView, note: NoteBrand): void {
  const { canonical = null, 'og:url': shared = null } = view.document.meta;
  for (const url of [canonical, shared]) {
    for (const brand of ownersOf(view, url)) note(brand, 'the canonical address', 1);
  }
  noteLoaded(view, note);
  noteLinks(view, note);
}

function noteLoaded(view: PageView, note: NoteBrand): void {
  const loaded = new Map<Brand, number>();
  for (const { kind, url } of view.document.assets) {
    const there = kind === 'script' ? null : view.foreignHost(url);
    if (there === null || (SHARED_SERVERS.has(there) && kind !== 'icon')) continue;
    for (const brand of view.brands.ownersOf(there)) {
      if (kind === 'icon') note(brand, 'an icon from its own servers', 1);
      else loaded.set(brand, (loaded.get(brand) ?? 0) + (kind === 'style' ? MIN_LOADED : 1));
    }
  }
  for (const [brand, count] of loaded) {
    note(brand, 'pictures and styles from its own servers', Math.min(1, count / MIN_LOADED));
  }
}

function noteLinks(view: PageView, note: NoteBrand): void {
  const links = view.document.links.filter((link) => link.url !== null);
  const counts = new Map<Brand, number>();
  for (const { url } of links) {
    for (const brand of ownersOf(view, url)) counts.set(brand, (counts.get(brand) ?? 0) + 1);
  }
  for (const [brand, count] of counts) {
    const share = count / links.length;
    if (share >= 0.5) note(brand, 'most of the links', share * Math.min(1, count / 3));
  }
}

function ownersOf(view: PageView, url: string | null): readonly Brand[] {
  const there = view.foreignHost(url);
  return there === null ? [] : view.brands.ownersOf(there);
}

/** Input of the signals. */
export interface PageReading extends PageView {
  /** Brand that the page presents itself as, its own or not; null if none. */
  readonly claim: PageBrand | null;
}

/** Prepares the page of a visit for all signals; null if no page was read. */
export function readVisitedPage(subject: ViewSubject): PageReading | null {
  const view = viewPage(subject);
  return view && { ...view, claim: claimedBrand(view) };
}
