/** A reproducible source of randomness for law tests: the seed is part of a failure's message. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [0, bound). */
  below(bound: number): number;
  pick<T>(items: readonly T[]): T;
  text(maxLength: number, alphabet: string): string;
}

/** Mulberry32 (Tommy Ettinger, public domain): short, and even enough for choosing test cases. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    next,
    below,
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
    text(maxLength, alphabet) {
      const characters = [...alphabet];
      let text = '';
      for (let left = below(maxLength + 1); left > 0; left--) text += characters[below(characters.length)];
      return text;
    },
  };
}
