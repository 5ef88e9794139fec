/**
 * Does each of the works once a round, forwards and backwards in turn, so that a busy moment of the machine hits all alike
 * and none always comes first.
 */
export async function interleave(rounds: number, works: readonly (() => Promise<void>)[]): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const work of round % 2 === 0 ? works : works.toReversed()) await work();
  }
}
