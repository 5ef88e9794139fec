import type { Figure } from './figures.ts';

/** How a figure stands to its reference, round by round. */
export function ratiosOf(figure: Figure, own: readonly number[], reference: readonly number[]): number[] {
  const isInverse = figure.reference?.ratio === 'share' && !figure.isMoreBetter;
  return isInverse ? quotients(reference, own) : quotients(own, reference);
}

/** Each value over its partner of the same round. Throws a RangeError where they are not in pairs. */
export function quotients(above: readonly number[], below: readonly number[]): number[] {
  if (above.length !== below.length) throw new RangeError('the measurements are not in pairs');
  return above.map((value, round) => value / (below[round] ?? Number.NaN));
}
