import { editDistance } from '#src/core/base/text/edit-distance.ts';
import { skeleton } from '#src/core/url/confusable.ts';
import type { Brand, BrandAlias } from './brands.ts';
import { type Typo, typoBetween } from './misspelling.ts';

/** An alias with what is needed to find it. */
export interface IndexedAlias extends BrandAlias {
  readonly brand: Brand;
  readonly skeleton: string;
}

/** Finds aliases by how they begin, and by what is nearly the same. */
export interface BrandIndex {
  /** Aliases whose skeleton may begin with the four characters of `text` at `start`; the caller compares the rest. */
  startingAt(text: string, start: number): readonly IndexedAlias[];
  /** The alias that is exactly `word`, also one too short for {@link startingAt}, or null. */
  exactly(word: string): IndexedAlias | null;
  /**
   * The alias nearest to `word`, at one edit or, if it is long, two; null if there is none or it is `word` itself.
   */
  near(word: string): IndexedAlias | null;
  /** The same among the configured brands. */
  nearConfigured(word: string): IndexedAlias | null;
}

/**
 * Shorter names have too many neighbours that are words in their own right; of names this long only typing errors
 * count.
 */
const MIN_NEAR_LENGTH = 5;
const MIN_NEAR_LENGTH_ANY_EDIT = 6;
const MIN_NEAR_LENGTH_TWO_EDITS = 9;
/**
 * `mtbank` is one edit from a dozen other banks, and `lloydbank` from names of others. Of a longer name, typing errors
 * count, and edits that damage the ending itself (`citiank`).
 */
const GENERIC_ENDING = /^(?:.{1,5}bank|.{1,4}network)$/;
const MIN_NEAR_LENGTH_GENERIC = 8;
const TYPING_ERRORS: ReadonlySet<Typo> = new Set<Typo>(['repeated', 'swapped']);
const NONE: readonly IndexedAlias[] = [];
const SLOTS = 1 << 14;
const HASH_FACTOR = 0x9e3779b1;

/** Indexes the aliases of `brands`; of two brands with one alias, the first one gets it. */
export function indexBrands(brands: readonly Brand[]): BrandIndex {
  const byName = new Map<string, IndexedAlias>();
  for (const brand of brands) {
    for (const { name, weight } of brand.aliases) {
      if (!byName.has(name)) byName.set(name, { brand, name, weight, skeleton: skeleton(name) });
    }
  }
  const aliases = [...byName.values()];
  const withNeighbours = aliases.filter(
    ({ name, weight }) =>
      (!GENERIC_ENDING.test(name) || name.length >= MIN_NEAR_LENGTH_GENERIC) &&
      (name.length >= MIN_NEAR_LENGTH_ANY_EDIT || (name.length === MIN_NEAR_LENGTH && weight !== 'second_cause')),
  );
  return {
    startingAt: indexBeginnings(aliases),
    exactly: (word) => byName.get(word) ?? null,
    near: indexNeighbours(withNeighbours),
    nearConfigured: indexNeighbours(withNeighbours.filter(({ brand }) => brand.isConfigured)),
  };
}

function indexBeginnings(aliases: readonly IndexedAlias[]): BrandIndex['startingAt'] {
  const slots = new Array<IndexedAlias[] | undefined>(SLOTS).fill(undefined);
  for (const alias of aliases) {
    if (alias.skeleton.length < 4) continue;
    const slot = slotOf(alias.skeleton, 0);
    const others = slots[slot];
    if (others) others.push(alias);
    else slots[slot] = [alias];
  }
  return (text, start) => (start + 4 > text.length ? NONE : (slots[slotOf(text, start)] ?? NONE));
}

function slotOf(text: string, at: number): number {
  const low = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 8);
  const high = text.charCodeAt(at + 2) | (text.charCodeAt(at + 3) << 8);
  return Math.imul(low ^ (high << 16), HASH_FACTOR) >>> 18;
}

/**
 * One edit leaves the first three letters or the last three of a name of six and more as they are, so these are the
 * keys; but for a swap in the middle of six, which leaves two and two. So do the typing errors of names of five that
 * count.
 */
function indexNeighbours(aliases: readonly IndexedAlias[]): BrandIndex['near'] {
  const byBeginning = new Map<string, Neighbour[]>();
  const byEnd = new Map<string, Neighbour[]>();
  const byEnds = new Map<string, Neighbour[]>();
  for (const alias of aliases) {
    const { name } = alias;
    const isGeneric = GENERIC_ENDING.test(name);
    const mostEdits = name.length >= MIN_NEAR_LENGTH_TWO_EDITS && !isGeneric ? 2 : 1;
    const neighbour = { alias, name, isGeneric, mostEdits };
    push(byBeginning, name.slice(0, 3), neighbour);
    push(byEnd, name.slice(-3), neighbour);
    if (name.length <= 6) push(byEnds, name.slice(0, 2) + name.slice(-2), neighbour);
  }
  return (word) => {
    if (aliases.length === 0 || word.length < MIN_NEAR_LENGTH || word.length > 32) return null;
    let nearest: IndexedAlias | null = null;
    const swapped = word.length <= 6 ? byEnds.get(word.slice(0, 2) + word.slice(-2)) : undefined;
    for (const candidates of [byBeginning.get(word.slice(0, 3)), byEnd.get(word.slice(-3)), swapped]) {
      for (const neighbour of candidates ?? NO_NEIGHBOURS) {
        const edits = editsTo(neighbour, word);
        if (edits === 0) return null;
        if (edits === 1 || (edits !== null && nearest === null)) nearest = neighbour.alias;
      }
    }
    return nearest;
  };
}

/** An alias with what words may differ from it. */
interface Neighbour {
  readonly alias: IndexedAlias;
  readonly name: string;
  /** True if it is one of {@link GENERIC_ENDING}. */
  readonly isGeneric: boolean;
  readonly mostEdits: number;
}

const NO_NEIGHBOURS: readonly Neighbour[] = [];

/** Returns the number of edits between a name and `word`; null if there are more, or others, than its length allows. */
function editsTo({ name, isGeneric, mostEdits }: Neighbour, word: string): number | null {
  // First, because it is cheap and rules nearly all names out.
  if (Math.abs(name.length - word.length) > mostEdits) return null;
  const isTypingErrorOnly = name.length === MIN_NEAR_LENGTH || (isGeneric && GENERIC_ENDING.test(word));
  if (isTypingErrorOnly && word !== name && !TYPING_ERRORS.has(typoBetween(word, name))) return null;
  const edits = editDistance(word, name, mostEdits);
  return edits <= mostEdits ? edits : null;
}

function push(map: Map<string, Neighbour[]>, key: string, neighbour: Neighbour): void {
  const others = map.get(key);
  if (others) others.push(neighbour);
  else map.set(key, [neighbour]);
}
