/** A comparison of the pattern language (STIX 2.1, 9) that a list can express. */
const COMPARISON = /\s*(?:url|domain-name|ipv[46]-addr):value\s*=\s*'([^'\\]*(?:\\['\\][^'\\]*)*)'\s*/y;

/**
 * The values that a pattern finds: `[url:value = 'https://…']`, the same of `domain-name`, `ipv4-addr` and `ipv6-addr`, and
 * several of these with OR between them. Null for any other pattern, even where a part of it is one of these.
 */
export function readStixPattern(pattern: string): readonly string[] | null {
  const values: string[] = [];
  let at = 0;
  const take = (token: RegExp): RegExpExecArray | null => {
    token.lastIndex = at;
    const found = token.exec(pattern);
    if (found !== null) at = token.lastIndex;
    return found;
  };
  do {
    if (take(/\s*\[/y) === null) return null;
    do {
      const found = take(COMPARISON);
      if (found === null) return null;
      values.push((found[1] ?? '').replace(/\\(.)/g, '$1'));
    } while (take(/OR\b/y) !== null);
    if (take(/\]\s*/y) === null) return null;
  } while (take(/OR\b/y) !== null);
  return at === pattern.length ? values : null;
}
