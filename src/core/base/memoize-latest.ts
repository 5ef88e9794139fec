/**
 * Memoizes the latest result of a function, because analyzers ask for the same key in sequence. Only for pure functions
 * of immutable keys.
 */
export function memoizeLatest<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  let latest: { readonly key: Key; readonly value: Value } | null = null;
  return (key) => {
    if (latest?.key !== key) latest = { key, value: find(key) };
    return latest.value;
  };
}
