import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal, visibleJson } from '#src/core/base/text/untrusted-text.ts';
import { type Comparison, comparisonRow } from '#src/parts/tuning/models/comparison.ts';

/** A line for each check that comes out otherwise, and what they add up to. */
export function comparisonAsText({ versions, compared, unread, changes, changed }: Comparison): string {
  const lines = changed.map(({ check, now, other }) => {
    const percent = [now, other]
      .map(({ probability }) => `${(probability * 100).toFixed(1)} %`.padStart(7))
      .join(' → ');
    return `${now.decision.padEnd(5)} → ${other.decision.padEnd(5)} ${percent}  ${visibleInTerminal(check.url)}\n`;
  });
  const total = sum(changes.values());
  const more = total > changed.length ? `and ${total - changed.length} more\n` : '';
  const kinds = [...changes].toSorted().map(([change, checks]) => `${change}: ${checks}\n`);
  const end = `${counted(compared, 'check')} compared, ${versions.join(' against ')}: ${total} with another decision\n`;
  const left = unread > 0 ? `${unread} skipped: unreadable records\n` : '';
  return [...lines, more, ...kinds, end, left].join('');
}

/** The same for machines. */
export function comparisonAsJson(comparison: Comparison): string {
  return `${visibleJson(JSON.stringify(comparisonRow(comparison), null, 2))}\n`;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const one of numbers) total += one;
  return total;
}
