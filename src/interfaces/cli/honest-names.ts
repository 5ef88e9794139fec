import { UsageError } from './command.ts';

/**
 * Returns the names of honest sites that training reads beside `--data`.
 *
 * @param names null in the executable, which does not carry them
 * @throws UsageError for null
 */
export function honestNamesFor(command: 'train' | 'evaluate', names: readonly string[] | null): readonly string[] {
  if (names !== null) return names;
  throw new UsageError(
    `${command} --data requires training data that only a checkout contains: bun src/main.ts ${command} …`,
  );
}
