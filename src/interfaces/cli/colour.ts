import type { Io } from '#src/core/base/io.ts';

/** Values of `--color`. */
export type ColourChoice = 'auto' | 'always' | 'never';

/**
 * Returns true if stdout gets colours: as `--color` says; else as FORCE_COLOR says (https://force-color.org), then
 * NO_COLOR (https://no-color.org); else on a terminal that supports colours.
 */
export function wantsColour({ stdout, environment }: Pick<Io, 'stdout' | 'environment'>, said?: ColourChoice): boolean {
  if (said === 'always' || said === 'never') return said === 'always';
  const forced = environment['FORCE_COLOR'];
  if (forced) return forced !== '0' && forced !== 'false';
  if (environment['NO_COLOR']) return false;
  return stdout.isTerminal && hasEscapes(environment);
}

/** Returns true if the terminal understands escape sequences. */
export function hasEscapes(environment: Io['environment']): boolean {
  return environment['TERM'] !== 'dumb';
}
