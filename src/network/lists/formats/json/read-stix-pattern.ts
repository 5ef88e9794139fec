/** An object and the operator of a comparison of the pattern language (STIX 2.1, 9) that a list can express. */
const COMPARISON = /\s*(?:url|domain-name|ipv[46]-addr):value\s*(=|IN\b)\s*/y;
const OPENING = /\s*([([])/y;
const CLOSING = /\s*([)\]])\s*/y;
const TEXT = /\s*'([^'\\]*(?:\\['\\][^'\\]*)*)'\s*/y;

/** Reads tokens of a text from its beginning. */
function scanner(text: string) {
  let at = 0;
  return {
    take(token: RegExp): RegExpExecArray | null {
      token.lastIndex = at;
      const found = token.exec(text);
      if (found !== null) at = token.lastIndex;
      return found;
    },
    isAtEnd: () => at === text.length,
  };
}

/**
 * Returns the values that a pattern matches: `[url:value = 'https://…']`, the same of `domain-name`, `ipv4-addr` and
 * `ipv6-addr`, also with `IN ('…', '…')`, and alternatives of these joined by OR, with or without parentheses. Null for
 * any other pattern, even if a part of it has this form.
 */
export function readStixPattern(pattern: string): readonly string[] | null {
  const { take, isAtEnd } = scanner(pattern);
  const values: string[] = [];
  /** Open parentheses and brackets. */
  const open: string[] = [];
  do {
    for (let found = take(OPENING); found !== null; found = take(OPENING)) open.push(found[1] ?? '');
    if (open.filter((bracket) => bracket === '[').length !== 1) return null;
    const compared = takeCompared(take);
    if (compared === null) return null;
    values.push(...compared);
    for (let found = take(CLOSING); found !== null; found = take(CLOSING))
      if (open.pop() !== (found[1] === ')' ? '(' : '[')) return null;
  } while (take(/OR\b/y) !== null);
  return isAtEnd() && open.length === 0 ? values : null;
}

/** Returns the texts of a comparison; null if there is none. */
function takeCompared(take: (token: RegExp) => RegExpExecArray | null): readonly string[] | null {
  const operator = take(COMPARISON)?.[1];
  if (operator === undefined || (operator !== '=' && take(/\(/y) === null)) return null;
  const texts: string[] = [];
  do {
    const found = take(TEXT);
    if (found === null) return null;
    texts.push((found[1] ?? '').replace(/\\(.)/g, '$1'));
  } while (operator !== '=' && take(/,/y) !== null);
  return operator === '=' || take(/\)\s*/y) !== null ? texts : null;
}
