import type { CheckResult } from './check-result.ts';

const written = new WeakMap<CheckResult, string>();

/**
 * A result as JSON, written once however often it is asked for: where nothing had to be masked, the log keeps the very
 * text that the client gets.
 */
export function resultJson(result: CheckResult): string {
  const known = written.get(result);
  if (known !== undefined) return known;
  const json = JSON.stringify(result);
  written.set(result, json);
  return json;
}
