/**
 * The number of insertions, deletions, substitutions and swaps of neighbours (optimal string alignment) that make `a`
 * into `b`; 3 stands for three and more.
 */
export function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min((previous[j] ?? 3) + 1, (row[j - 1] ?? 3) + 1, (previous[j - 1] ?? 3) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 3) + 1);
      row.push(cost);
      best = Math.min(best, cost);
    }
    if (best > 2) return 3;
    before = previous;
    previous = row;
  }
  return Math.min(previous[b.length] ?? 3, 3);
}
