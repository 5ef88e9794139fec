import type { Random } from '#test/support/random.ts';

/** Inputs made of pieces, which are dear to whoever reads them. */
export interface Mountain {
  /** What every input may begin with. */
  readonly starts: readonly string[];
  /** What it may go on with, over and over, to the end. */
  readonly pieces: readonly string[];
  /** What it may end with. */
  readonly ends: readonly string[];
  /** Characters of the longest input. */
  readonly length: number;
}

interface Recipe {
  readonly start: string;
  readonly pieces: readonly string[];
  readonly end: string;
}

/** Every so many steps the search looks somewhere else altogether. */
const STEPS_BETWEEN_DRAWS = 15;

/**
 * Climbs towards the input for which `cost` is greatest: each step changes one piece, and stays where that was dearer. As
 * many steps as said, the same for the same seed but for how the cost wavers.
 */
export async function climb(
  mountain: Mountain,
  random: Random,
  steps: number,
  cost: (input: string) => Promise<number>,
): Promise<string> {
  let best = draw(mountain, random);
  let bestCost = await cost(cook(mountain, best));
  for (let step = 1; step < steps; step++) {
    const next = step % STEPS_BETWEEN_DRAWS === 0 ? draw(mountain, random) : change(mountain, best, random);
    const nextCost = await cost(cook(mountain, next));
    if (nextCost <= bestCost) continue;
    best = next;
    bestCost = nextCost;
  }
  return cook(mountain, best);
}

function draw({ starts, pieces, ends }: Mountain, random: Random): Recipe {
  return {
    start: random.pick(starts),
    pieces: Array.from({ length: 1 + random.below(6) }, () => random.pick(pieces)),
    end: random.pick(ends),
  };
}

function change({ starts, pieces, ends }: Mountain, recipe: Recipe, random: Random): Recipe {
  const what = random.below(8);
  if (what === 0) return { ...recipe, start: random.pick(starts) };
  if (what === 1) return { ...recipe, end: random.pick(ends) };
  const at = random.below(recipe.pieces.length + 1);
  const added = random.below(3) === 0 ? [] : [random.pick(pieces)];
  return { ...recipe, pieces: recipe.pieces.toSpliced(at, random.below(2), ...added) };
}

/** The pieces again and again until the input is as long as it may be; `№` in a piece is the number of the repetition. */
function cook({ length }: Mountain, { start, pieces, end }: Recipe): string {
  const unit = pieces.join('') || 'a';
  const room = Math.max(0, length - start.length - end.length);
  const times = Math.ceil(room / unit.length);
  const middle = unit.includes(COUNTER)
    ? Array.from({ length: times }, (_, at) => unit.replaceAll(COUNTER, String(at))).join('')
    : unit.repeat(times);
  return start + middle.slice(0, room) + end;
}

const COUNTER = '№';
