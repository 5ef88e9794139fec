/** Number of remembered texts. A repetition after so many others is harmless; remembering all of a large log is not. */
const REMEMBERED = 100_000;

/** Creates a filter that returns true for a text not seen recently. It keeps two generations and drops the older one. */
export function createRecentFilter(): (text: string) => boolean {
  let young = new Set<string>();
  let old = new Set<string>();
  return (text) => {
    const isKnown = young.has(text) || old.has(text);
    if (young.size >= REMEMBERED / 2) [young, old] = [new Set(), young];
    young.add(text);
    return !isKnown;
  };
}
