import type { Brand } from '#src/core/knowledge/brands/brands.ts';
import { noteServers } from './brand-in-addresses.ts';
import { noteNames } from './brand-in-text.ts';
import { type NoteBrand, OWNERS_PLACES, PLACES, type Place } from './brand-place.ts';
import { ownLabel, type PageView } from './page-view.ts';
import { squash } from './words.ts';

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
export function claimedBrand(view: PageView): PageBrand | null {
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
