/** What is told twice after so many others does no harm; to remember all of a large log would. */
const REMEMBERED = 100_000;

/** Tells whether a text is new among the latest. It keeps two generations and forgets the older one whole. */
export function onceAmongLatest(): (text: string) => boolean {
  let young = new Set<string>();
  let old = new Set<string>();
  return (text) => {
    const isKnown = young.has(text) || old.has(text);
    if (young.size >= REMEMBERED / 2) [young, old] = [new Set(), young];
    young.add(text);
    return !isKnown;
  };
}
