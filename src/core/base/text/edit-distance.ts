/**
 * The number of insertions, deletions, substitutions and swaps of neighbours (optimal string alignment) that make `a`
 * into `b`; `most + 1` stands for all that is more than `most`.
 */
export function editDistance(a: string, b: string, most: number): number {
  let start = 0;
  while (start < a.length && start < b.length && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  const lengthA = endA - start;
  const lengthB = endB - start;
  if (Math.abs(lengthA - lengthB) > most) return most + 1;
  if (lengthA === 0 || lengthB === 0) return Math.max(lengthA, lengthB);
  // The rest differs at both ends: one edit covers it only if it is a single letter or two swapped ones, and two
  // leave all but two letters at each end as they are.
  if (lengthA > 2 && lengthB > 2 && most < 2) return most + 1;
  if (most === 2 && !b.includes(a.slice(start + 2, endA - 2), start)) return most + 1;
  return Math.min(align(a.slice(start, endA), b.slice(start, endB)), most + 1);
}

function align(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, substituted);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}

/** Returns `; did you mean …?` for the nearest known word if it may be a typo; else an empty text. */
export function suggest(word: string, known: readonly string[]): string {
  // Of a word of three letters that shares one with another, nobody meant the other.
  const most = word.length <= 3 ? 1 : Math.max(2, Math.floor(word.length / 3));
  const near = known
    .map((name) => ({ name, edits: editDistance(word, name, most) }))
    .filter(({ edits }) => edits <= most)
    .toSorted((a, b) => a.edits - b.edits);
  return near[0] ? `; did you mean ${near[0].name}?` : '';
}
