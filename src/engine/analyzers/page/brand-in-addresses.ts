import type { Brand } from '#src/core/knowledge/brands/brands.ts';
import { SHARED_SERVERS } from '#src/core/knowledge/hosts/page-hosts.ts';
import type { See } from './brand-place.ts';
import type { PageView } from './page-view.ts';

/** One picture is a payment mark or a badge; a style sheet, or this many pictures, make a look. */
const ENOUGH_LOADED = 3;

/** Tells `see` of every brand whose servers a page points to or loads from. */
export function seeServers(view: PageView, see: See): void {
  const { canonical = null, 'og:url': shared = null } = view.document.meta;
  for (const url of [canonical, shared]) {
    for (const brand of ownersOf(view, url)) see(brand, 'the canonical address', 1);
  }
  seeLoaded(view, see);
  seeLinks(view, see);
}

function seeLoaded(view: PageView, see: See): void {
  const loaded = new Map<Brand, number>();
  for (const { kind, url } of view.document.assets) {
    const there = kind === 'script' ? null : view.foreignHost(url);
    if (there === null || (SHARED_SERVERS.has(there) && kind !== 'icon')) continue;
    for (const brand of view.brands.ownersOf(there)) {
      if (kind === 'icon') see(brand, 'an icon from its own servers', 1);
      else loaded.set(brand, (loaded.get(brand) ?? 0) + (kind === 'style' ? ENOUGH_LOADED : 1));
    }
  }
  for (const [brand, count] of loaded) {
    see(brand, 'pictures and styles from its own servers', Math.min(1, count / ENOUGH_LOADED));
  }
}

function seeLinks(view: PageView, see: See): void {
  const links = view.document.links.filter((link) => link.url !== null);
  const counts = new Map<Brand, number>();
  for (const { url } of links) {
    for (const brand of ownersOf(view, url)) counts.set(brand, (counts.get(brand) ?? 0) + 1);
  }
  for (const [brand, count] of counts) {
    const share = count / links.length;
    if (share >= 0.5) see(brand, 'most of the links', share * Math.min(1, count / 3));
  }
}

function ownersOf(view: PageView, url: string | null): readonly Brand[] {
  const there = view.foreignHost(url);
  return there === null ? [] : view.brands.ownersOf(there);
}
