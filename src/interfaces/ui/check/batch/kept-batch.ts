import type { CheckState } from '../check-state.ts';

/** Place of the batch of a tab, for a reload and for Back. The browser deletes it with the tab. */
const KEY = 'lurecheck.batch';

/** Maximum length of a stored batch, in UTF-16 code units; browsers store about 5 million. */
const MAX_LENGTH = 4_000_000;

/**
 * Stores the results of a batch in the tab, so that they survive a reload. A batch with a private check is never
 * stored: browsers write the storage of a tab to the disk, and who uses this device next must not find it there.
 * Returns false if the results are lost with the page.
 */
export function keepBatch({ checks, unread, draft }: CheckState): boolean {
  const isPublic = checks.every(({ isPrivate }) => !isPrivate);
  const plain = checks.map((check) => ({ ...check, stages: [] }));
  const text = checks.length > 1 && isPublic ? JSON.stringify({ text: draft.text, checks: plain, unread }) : '';
  try {
    sessionStorage.removeItem(KEY);
    if (text === '' || text.length > MAX_LENGTH) return checks.length < 2;
    sessionStorage.setItem(KEY, text);
    return true;
  } catch {
    return false; // Storage is forbidden, or full.
  }
}

/** Puts the batch of this tab into the state, if the page was reloaded or reached by Back. */
export function restoreBatch(state: CheckState): void {
  const [entry] = performance.getEntriesByType('navigation');
  const type = entry instanceof PerformanceNavigationTiming ? entry.type : '';
  if (type !== 'reload' && type !== 'back_forward') return;
  try {
    const { text, checks, unread } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    if (!Array.isArray(checks)) return;
    Object.assign(state, {
      checks: checks.map((check) => ({ ...check, stages: new Map() })),
      unread,
      checkedText: text,
    } satisfies Partial<CheckState>);
    state.draft.text = text;
    for (const { link } of state.checks) state.draft.messageLinks.set(link.url, link);
  } catch {
    // It was stored by another version, or storage is forbidden.
  }
}
