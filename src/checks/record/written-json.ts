const written = new WeakMap<object, string>();

/**
 * A value as JSON, written once however often it is asked for: where nothing of a result had to be masked, the log keeps
 * the very text that the client gets. The value must not change in between.
 */
export function writtenJson(value: object): string {
  const known = written.get(value);
  if (known !== undefined) return known;
  const json = JSON.stringify(value);
  written.set(value, json);
  return json;
}
