import type { Brand } from '#src/knowledge/brands.ts';
import type { See } from './brand-place.ts';
import { hostSet } from './host-set.ts';
import type { PageView } from './page-view.ts';

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

/** One picture is a payment mark or a badge; a style sheet, or this many pictures, make a look. */
const ENOUGH_LOADED = 3;

/** Tells `see` of every brand whose servers a page points to or loads from. */
export function seeServers(view: PageView, see: See): void {
  const { document, brands } = view;
  const { canonical = null, 'og:url': shared = null } = document.meta;
  const ownersOf = (url: string | null) => {
    const there = view.foreignHost(url);
    return there === null ? [] : brands.ownersOf(there);
  };
  for (const url of [canonical, shared]) {
    for (const brand of ownersOf(url)) see(brand, 'the canonical address', 1);
  }
  const loaded = new Map<Brand, number>();
  for (const asset of document.assets) {
    if (asset.kind === 'script') continue;
    const there = view.foreignHost(asset.url);
    if (there === null || (SHARED_SERVERS.has(there) && asset.kind !== 'icon')) continue;
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
