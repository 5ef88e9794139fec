import type { Brand } from '#src/core/knowledge/brands/brands.ts';
import { SHARED_SERVERS } from '#src/core/knowledge/hosts/page-hosts.ts';
import type { NoteBrand } from './brand-place.ts';
import type { PageView } from './page-view.ts';

/** Pictures that make the look of a brand, as one style sheet does; a single one is a badge or payment mark. */
const MIN_LOADED = 3;

/** Passes to `note` every brand whose servers a page points to or loads from. */
export function noteServers(view: PageView, note: NoteBrand): void {
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
