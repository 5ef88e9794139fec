import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal, visibleJson } from '#src/core/base/text/untrusted-text.ts';
import { type Comparison, comparisonRow } from '#src/parts/tuning/model-changes/compare-model.ts';
import { allChanged, changesMade } from '#src/parts/tuning/rescore/rescore.ts';

/** A line for each check that comes out otherwise, and what they add up to. */
export function comparisonAsText({ versions, judged, unread, changed, ...made }: Comparison): string {
  const lines = changed.map(({ check, was, now }) => {
    const percent = [was, now].map(({ probability }) => `${(probability * 100).toFixed(1)} %`.padStart(7)).join(' → ');
    return `${was.decision.padEnd(5)} → ${now.decision.padEnd(5)} ${percent}  ${visibleInTerminal(check.url)}\n`;
  });
  const total = allChanged(made);
  const more = total > changed.length ? `and ${total - changed.length} more\n` : '';
  const kinds = changesMade(made).map(({ was, now, checks }) => `${was} → ${now}: ${checks}\n`);
  const end = `${counted(judged, 'check')} compared, ${versions.join(' against ')}: ${total} with another decision\n`;
  const left = unread > 0 ? `${unread} skipped: unreadable records\n` : '';
  return [...lines, more, ...kinds.toSorted(), end, left].join('');
}

/** The same for machines. */
export function comparisonAsJson(comparison: Comparison): string {
  return `${visibleJson(JSON.stringify(comparisonRow(comparison), null, 2))}\n`;
}
