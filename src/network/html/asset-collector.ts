import { isDeadLink, parseRefresh, resolveUrl, withoutLineBreaks } from './addresses.ts';
import type { PageAsset, PageCounts, PageFrame, PageLink, PageOrigin, PageRefresh } from './document.ts';
import type { HtmlLimits } from './limits.ts';
import type { MarkupPlace } from './open-form.ts';
import { type FrameElement, frameSize, readStyleRules, selectorsOf } from './styles/style-sheet.ts';
import { oneLine } from './text-sink.ts';

type Attributes = ReadonlyMap<string, string>;

/** References from a page to other resources, with resolved addresses. */
export interface CollectedAssets {
  readonly links: readonly PageLink[];
  readonly assets: readonly PageAsset[];
  readonly frames: readonly PageFrame[];
  readonly refreshes: readonly PageRefresh[];
  readonly canonical: string | null;
  /** First icon in the page itself, as its `data:` address; null if there is none. */
  readonly iconData: string | null;
  readonly counts: Pick<PageCounts, 'links' | 'deadLinks' | 'images'>;
}

/** Gathers links, frames and what a page loads; addresses are resolved at the end, when its base is known. */
export interface AssetCollector {
  addLink(attributes: Attributes, text: string): void;
  addScript(attributes: Attributes): void;
  addStyleText(text: string): void;
  /** Takes a frame, with `inline` if its page is part of this document; one that is inert has no size. */
  addFrame(tag: string, attributes: Attributes, state: { readonly isInert: boolean; readonly inline: boolean }): void;
  addRefresh(content: string, place: MarkupPlace): void;
  addImage(attributes: Attributes): void;
  /** Takes what a `link` element names: the canonical address, an icon, a style sheet; other relations are ignored. */
  addRelated(attributes: Attributes): void;
  addMedia(attributes: Attributes): void;
  /** Looks for a background picture in the `style` and `background` attributes. */
  addBackground(attributes: Attributes): void;
  finish(baseUrl: string): CollectedAssets;
}

type AssetKind = PageAsset['kind'];

/** An address in a style sheet; long ones are pictures in place. */
const STYLE_ADDRESS = /url\(\s{0,20}["']?([^"')\s]{1,2000})/gi;

interface Frame {
  readonly source: string;
  readonly inline: boolean;
  /** Null if it is not shown. */
  readonly element: FrameElement | null;
}

interface Refresh {
  readonly content: string;
  readonly place: MarkupPlace;
}

/** Creates an empty collector, bounded by the limits; `onFull` is called for whatever is dropped. */
export function createAssetCollector(limits: HtmlLimits, onFull: () => void): AssetCollector {
  const links: { href: string; text: string; download: boolean; isDead: boolean }[] = [];
  const assets: { kind: AssetKind; source: string; alt: string }[] = [];
  const frames: Frame[] = [];
  let styles = '';
  const refreshes: Refresh[] = [];
  let [canonical, iconData]: [string | null, string | null] = [null, null];
  const counts = { links: 0, deadLinks: 0, images: 0 };

  const addAsset = (kind: AssetKind, source: string | undefined, alt = '') => {
    if (source === undefined || source.trim() === '') return;
    if (assets.length >= limits.assets) return onFull();
    const isData = /^\s*data:/i.test(source);
    if (isData && kind === 'icon') iconData ??= source;
    assets.push({ kind, source: isData ? dataType(source) : source, alt });
  };
  const addStyleAddresses = (text: string) => {
    STYLE_ADDRESS.lastIndex = 0;
    let left = limits.smallItems;
    for (let match = STYLE_ADDRESS.exec(text); match && left > 0; match = STYLE_ADDRESS.exec(text)) {
      addAsset('image', match[1]);
      left -= 1;
    }
  };

  return {
    addLink(attributes, text) {
      const href = attributes.get('href') ?? attributes.get('xlink:href');
      if (href === undefined) return;
      counts.links += 1;
      const isDead = isDeadLink(href);
      if (isDead) counts.deadLinks += 1;
      if (links.length >= limits.links) return onFull();
      links.push({ href: href.toWellFormed(), text, download: attributes.has('download'), isDead });
    },
    addScript: (attributes) => addAsset('script', attributes.get('src') ?? attributes.get('href')),
    addStyleText(text) {
      const read = text.slice(0, limits.visibleTextCharacters);
      addStyleAddresses(read);
      if (styles.length < limits.visibleTextCharacters) styles += `${read}\n`;
    },
    addFrame(tag, attributes, { isInert, inline }) {
      const source = frameSource(tag, attributes);
      if (frames.length >= limits.smallItems) return onFull();
      const isData = /^\s*data:/i.test(source);
      frames.push({
        source: isData ? dataType(source) : source.slice(0, limits.attributeCharacters).toWellFormed(),
        inline,
        element: isInert ? null : { tag, attributes },
      });
    },
    addRefresh(content, place) {
      if (refreshes.length >= limits.smallItems) return onFull();
      refreshes.push({ content: content.slice(0, limits.attributeCharacters).toWellFormed(), place });
    },
    addImage(attributes) {
      counts.images += 1;
      const source = attributes.get('src') ?? attributes.get('data-src') ?? attributes.get('href');
      addAsset(
        'image',
        source ?? attributes.get('xlink:href'),
        oneLine(attributes.get('alt') ?? '', limits.labelCharacters),
      );
    },
    addRelated(attributes) {
      const relation = (attributes.get('rel') ?? '').toLowerCase();
      const href = attributes.get('href');
      if (/\bcanonical\b/.test(relation)) canonical ??= href ?? null;
      else if (/\b(?:icon|apple-touch-icon|mask-icon)\b/.test(relation)) addAsset('icon', href);
      else if (/\bstylesheet\b/.test(relation)) addAsset('style', href);
    },
    addMedia: (attributes) => addAsset('media', attributes.get('src') ?? attributes.get('poster')),
    addBackground(attributes) {
      const style = attributes.get('style');
      if (style?.includes('(')) addStyleAddresses(style);
      addAsset('image', attributes.get('background'));
    },
    finish: (baseUrl) => ({
      frames: finishFrames([...frames, ...refreshes.flatMap(asFrame)], styles, baseUrl),
      links: links.map(({ isDead, href, text, download }) => ({
        href,
        url: isDead ? null : resolveUrl(href, baseUrl),
        text,
        download,
      })),
      assets: assets.map(({ kind, source, alt }) => ({
        kind,
        source: source.toWellFormed(),
        url: /^\s*data:/i.test(source) ? null : resolveUrl(source, baseUrl),
        alt,
      })),
      refreshes: refreshes.map(finishRefresh),
      canonical: canonical === null ? null : resolveUrl(canonical, baseUrl),
      iconData,
      counts,
    }),
  };
}

function finishFrames(frames: readonly Frame[], styles: string, baseUrl: string): PageFrame[] {
  const selectors = frames.flatMap(({ element }) => (element === null ? [] : selectorsOf(element)));
  const rules = selectors.length === 0 ? new Map() : readStyleRules(styles, new Set(selectors));
  return frames.map(({ source, inline, element }) => ({
    source,
    url: source === '' ? null : resolveUrl(source, baseUrl),
    inline,
    size: element === null ? 'hidden' : frameSize(element, rules),
  }));
}

/** Returns the address of a frame, which scripts may set from `data-src` once the frame is near. */
export function frameSource(tag: string, attributes: Attributes): string {
  const source = attributes.get(tag === 'object' ? 'data' : 'src') ?? '';
  return withoutLineBreaks(source === '' || source === 'about:blank' ? (attributes.get('data-src') ?? source) : source);
}

/** Returns true if a browser follows a refresh, by its place in the document; null if only script determines it. */
const FOLLOWED: Readonly<Record<PageOrigin, boolean | null>> = {
  page: true,
  written: null,
  noscript: false,
  template: false,
  shadow: false,
  srcdoc: false,
};

/** `data:` and the media type, without the data. */
function dataType(address: string): string {
  return address.trimStart().slice(0, 32).split(/[;,]/, 1)[0]?.toWellFormed() ?? '';
}

/** Chromium ignores a refresh whose time has no digits before its point; by the standard, as in Firefox, it is 0. */
const NO_DIGITS = /^[\t\n\f\r ]*\./;

function isFollowed(content: string, { origin, scope }: MarkupPlace): boolean | null {
  if (!scope.policies.allowsRefresh) return false;
  const followed = FOLLOWED[origin];
  return followed && NO_DIGITS.test(content) ? null : followed;
}

/** A frame whose document in place is replaced by a refresh shows the page at its target, like a frame of that page. */
function asFrame({ content, place: { origin, scope } }: Refresh): Frame[] {
  const target = parseRefresh(content)?.target ?? '';
  const isFollowed = target !== '' && origin === 'srcdoc' && scope.policies.allowsRefresh;
  const source = isFollowed && scope.frame !== null ? resolveUrl(target, scope.baseUrl) : null;
  return source === null ? [] : [{ source, inline: false, element: scope.frame }];
}

function finishRefresh({ content, place }: Refresh): PageRefresh {
  const order = parseRefresh(content);
  return {
    content,
    delaySeconds: order?.delaySeconds ?? null,
    url: order === null ? null : resolveUrl(order.target, place.scope.baseUrl),
    followed: isFollowed(content, place),
  };
}
