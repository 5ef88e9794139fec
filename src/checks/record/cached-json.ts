const cache = new WeakMap<object, string>();

/**
 * Serializes a value to JSON once: if nothing of a result was masked, the log stores the very text that the client
 * gets. The value must not change in between.
 */
export function cachedJson(value: object): string {
  const known = cache.get(value);
  if (known !== undefined) return known;
  const json = JSON.stringify(value);
  cache.set(value, json);
  return json;
}
