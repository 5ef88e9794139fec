import type { Random } from './random.ts';

/** What a mutation is made of. */
export interface Mutation {
  readonly samples: readonly Buffer[];
  /** Exclusive maximum of changes beyond the first. */
  readonly changes: number;
  /** Returns bytes that a parser may trip over. */
  readonly piece: (random: Random) => Buffer;
  /** Returns what is inserted of a sample; the whole of one by default. */
  readonly foreign?: (random: Random) => Buffer;
}

/** Returns a sample in which parts are removed, or replaced by pieces, bytes and other samples. */
export function mutatedBytes(
  random: Random,
  { samples, changes, piece, foreign = (from) => from.pick(samples) }: Mutation,
): Buffer {
  let bytes = random.pick(samples);
  for (let times = random.below(changes); times >= 0; times--) {
    const [from, to] = [random.below(bytes.length + 1), random.below(bytes.length + 1)].toSorted((a, b) => a - b);
    const middle = [Buffer.alloc(0), piece(random), Buffer.from([random.below(256)]), foreign(random)][random.below(4)];
    bytes = Buffer.concat([
      bytes.subarray(0, from),
      middle ?? Buffer.alloc(0),
      bytes.subarray(random.below(2) ? from : to),
    ]);
  }
  return bytes;
}
