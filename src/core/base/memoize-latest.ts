/**
 * The same function, which remembers its latest answer: those who judge one thing ask one after the other. Only for what
 * answers the same each time, about a key that never changes.
 */
export function remembersLatest<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  let latest: { readonly key: Key; readonly value: Value } | null = null;
  return (key) => {
    if (latest?.key !== key) latest = { key, value: find(key) };
    return latest.value;
  };
}
