/**
 * Memoizes the latest result of a function, because analyzers ask for the same key in sequence. Only for pure functions
 * of immutable keys.
 */
export function memoizeLatest<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  let latest: Result<Key, Value> | null = null;
  return (key) => {
    if (latest?.key !== key) latest = { key, value: find(key) };
    return latest.value;
  };
}

/**
 * Memoizes the latest two results, as {@link memoizeLatest} does one: of a URL as it is and without `www.`, about which
 * analyzers ask in turn.
 */
export function memoizeLatestTwo<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  let latest: Result<Key, Value> | null = null;
  let previous: Result<Key, Value> | null = null;
  return (key) => {
    if (latest?.key === key) return latest.value;
    const result: Result<Key, Value> = previous?.key === key ? previous : { key, value: find(key) };
    previous = latest;
    latest = result;
    return result.value;
  };
}

interface Result<Key, Value> {
  readonly key: Key;
  readonly value: Value;
}
