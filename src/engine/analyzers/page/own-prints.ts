import type { Box, IconPrint, PageLook } from '#src/network/probes/page-visit.ts';
import { type Feature, feature } from '../analyzer.ts';
import { type ConfiguredBrand, isOnBrandDomain } from './configured-brand.ts';
import type { PageView } from './page-view.ts';

/** How far two pages look alike, each in [0, 1]; null if a page has nothing of it. */
interface LookLikeness {
  /** Places and sizes of fields and buttons, relative to each other. */
  readonly layout: number | null;
  /** Edges of the pictures, at the best of some shifts. */
  readonly edges: number;
  readonly colours: number;
}

/** Columns and rows of {@link PageLook.edges}. */
const EDGE_GRID = { columns: 64, rows: 40 } as const;

/** Maximum difference of places and sizes that are the same, in CSS pixels, and as a share of a length. */
const SAME_PIXELS = 4;
const SAME_SHARE = 0.06;
/** Largest shift of pictures against each other, in cells of 20 CSS pixels. */
const SHIFT = { columns: 3, rows: 4 } as const;

/** Compares how two pages look; null if their windows differ. Bounded by the number of areas and cells. */
function lookLikeness(left: PageLook, right: PageLook): LookLikeness | null {
  if (left.width !== right.width || left.height !== right.height) return null;
  return {
    layout: layoutLikeness(left, right),
    edges: edgeLikeness(bitsOf(left.edges), bitsOf(right.edges)),
    colours: colourLikeness(bytesOf(left.colours), bytesOf(right.colours)),
  };
}

/** Returns the share of fields and buttons of the same place and size once a field of one page lies on one of the other. */
function layoutLikeness(left: PageLook, right: PageLook): number | null {
  if (left.fields.length === 0 || right.fields.length === 0) return null;
  const count = left.fields.length + left.buttons.length + right.fields.length + right.buttons.length;
  let best = 0;
  for (const one of left.fields) {
    for (const other of right.fields) {
      const shift: Shift = [other[0] - one[0], other[1] - one[1]];
      const fields = pairsOf(left.fields, right.fields, shift, true);
      // The width of a button follows its words.
      const buttons = pairsOf(left.buttons, right.buttons, shift, false);
      best = Math.max(best, (2 * (fields + buttons)) / count);
    }
  }
  return best;
}

type Shift = readonly [x: number, y: number];

function pairsOf(left: readonly Box[], right: readonly Box[], [x, y]: Shift, isWidthFixed: boolean): number {
  const free = new Set(right);
  for (const [l, t, width, height] of left) {
    const partner = free
      .values()
      .find(
        ([otherL, otherT, otherWidth, otherHeight]) =>
          isSame(l + x, otherL, l) &&
          isSame(t + y, otherT, t) &&
          isSame(height, otherHeight, height) &&
          (!isWidthFixed || isSame(width, otherWidth, width)),
      );
    if (partner) free.delete(partner);
  }
  return right.length - free.size;
}

function isSame(one: number, other: number, length: number): boolean {
  return Math.abs(one - other) <= Math.max(SAME_PIXELS, SAME_SHARE * Math.abs(length));
}

function edgeLikeness(left: Uint8Array, right: Uint8Array): number {
  let best = 0;
  for (let x = -SHIFT.columns; x <= SHIFT.columns; x++) {
    for (let y = -SHIFT.rows; y <= SHIFT.rows; y++) best = Math.max(best, overlapAt(left, right, x, y));
  }
  return best;
}

/** Returns the Jaccard index of the edges of two pictures, one shifted against the other, where both have cells. */
function overlapAt(left: Uint8Array, right: Uint8Array, x: number, y: number): number {
  const { columns, rows } = EDGE_GRID;
  let [both, any] = [0, 0];
  for (let row = Math.max(0, -y); row < Math.min(rows, rows - y); row++) {
    for (let column = Math.max(0, -x); column < Math.min(columns, columns - x); column++) {
      const one = left[row * columns + column] ?? 0;
      const other = right[(row + y) * columns + column + x] ?? 0;
      both += one & other;
      any += one | other;
    }
  }
  return any === 0 ? 0 : both / any;
}

function colourLikeness(left: Uint8Array, right: Uint8Array): number {
  let [shared, whole] = [0, 0];
  for (const [at, share] of left.entries()) {
    shared += Math.min(share, right[at] ?? 0);
    whole += Math.max(share, right[at] ?? 0);
  }
  return whole === 0 ? 0 : shared / whole;
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.fromHex(hex);
}

/** A bit of each cell as a number. */
function bitsOf(hex: string): Uint8Array {
  const bytes = bytesOf(hex);
  return Uint8Array.from(
    { length: EDGE_GRID.columns * EDGE_GRID.rows },
    (_, at) => ((bytes[at >> 3] ?? 0) >> (at & 7)) & 1,
  );
}

/** Bytes of differences in {@link IconPrint.shape}; mean colours follow. */
const DIFFERENCE_BYTES = 64;

/** Largest share of differences that one has alone, and mean difference of colours, of two sizes of one icon. */
const MOST_BITS = 0.33;
const MOST_COLOUR = 24;

/** Returns how far two icons look alike, in [0, 1]: 1 for the same file, 0 for different ones. */
export function iconLikeness(left: IconPrint, right: IconPrint): number {
  if (left.sha256 === right.sha256) return 1;
  if (left.shape === null || right.shape === null) return 0;
  const [one, other] = [Uint8Array.fromHex(left.shape), Uint8Array.fromHex(right.shape)];
  let [bits, any, colour] = [0, 0, 0];
  for (const [at, value] of one.entries()) {
    const there = other[at] ?? 0;
    if (at < DIFFERENCE_BYTES) {
      bits += bitsIn(value ^ there);
      any += bitsIn(value | there);
    } else colour += Math.abs(value - there);
  }
  const share = any === 0 ? 1 : bits / any;
  const shift = colour / (one.length - DIFFERENCE_BYTES);
  return share > MOST_BITS || shift > MOST_COLOUR ? 0 : 1 - share;
}

function bitsIn(byte: number): number {
  let count = 0;
  for (let left = byte; left > 0; left &= left - 1) count++;
  return count;
}

/** Features of the look of a page. */
export const OWN_PRINT_FEATURES = ['page.own_look', 'page.own_icon'] as const;

export type OwnPrintFeature = (typeof OWN_PRINT_FEATURES)[number];

/**
 * Likeness from which a page is a copy. With the same fields, fewer edges suffice, and fewer still in the same colours;
 * without them, the picture must be the same. Set by `.ci/look-card.ts`.
 */
const LEAST_LAYOUT = 0.75;
const LEAST_COLOURS = 0.5;
const LEAST_EDGES = { samePicture: 0.7, sameFields: 0.45, sameFieldsAndColours: 0.36 } as const;

/** Value of a page that is just alike enough. */
const LEAST_VALUE = 0.6;

/**
 * Finds a page on a site that is neither the brand's nor another known brand's, and looks like a configured page or asks for
 * secrets under its icon.
 */
export function ownPrints(view: PageView, brands: readonly ConfiguredBrand[]): Feature<OwnPrintFeature>[] {
  const { look, icon, location, owners } = view;
  const { host } = location;
  if ((!look && !icon) || owners.size > 0 || brands.some((brand) => isOnBrandDomain(brand, host))) return [];
  const asks = view.asksToLogIn || (look !== undefined && look.fields.length > 0);
  const looks = look && asks ? brands.flatMap(({ name, looks: own = [] }) => own.map((one) => ({ name, one }))) : [];
  const icons =
    icon && view.asksToLogIn ? brands.flatMap(({ name, icons: own = [] }) => own.map((one) => ({ name, one }))) : [];
  const found: Feature<OwnPrintFeature>[] = [];
  const [likest] = looks
    .map(({ name, one }) => ({ name, picture: one.picture, value: look ? ownLookValue(lookLikeness(one, look)) : 0 }))
    .toSorted((a, b) => b.value - a.value);
  if (likest !== undefined && likest.value > 0) {
    const { name: brand, picture, value } = likest;
    const args = { brand, host: host.text, ...(picture !== null && { picture }) };
    found.push(feature('page.own_look', value, args));
  }
  const [nearest] = icons
    .map(({ name, one }) => ({ brand: name, value: icon ? iconLikeness(one, icon) : 0 }))
    .toSorted((a, b) => b.value - a.value);
  if (nearest !== undefined && nearest.value > 0) {
    found.push(feature('page.own_icon', nearest.value, { brand: nearest.brand, host: host.text }));
  }
  return found;
}

function ownLookValue(alike: LookLikeness | null): number {
  if (alike === null) return 0;
  const { layout, edges, colours } = alike;
  const hasColours = colours >= LEAST_COLOURS;
  const hasFields = layout !== null && layout >= LEAST_LAYOUT;
  const isCopy =
    (hasFields && edges >= LEAST_EDGES.sameFields) ||
    (hasFields && hasColours && edges >= LEAST_EDGES.sameFieldsAndColours) ||
    (hasColours && edges >= LEAST_EDGES.samePicture);
  return isCopy ? LEAST_VALUE + (1 - LEAST_VALUE) * edges : 0;
}
