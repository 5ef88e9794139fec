import type { Static } from '@sinclair/typebox';
import { whyHeldBack } from '#src/network/lists/stored/quarantine-text.ts';
import type { PreviewedChangeSchema } from '#src/service/server/admin/preview-answer.ts';
import type { ListChanged } from './list-change.ts';
import type { PreviewedVerdicts } from './preview-lists.ts';

const PREVIEWED_CHANGE = {
  preview: {
    checked: 10_000,
    changed: 1,
    newly_blocked: 1,
    newly_allowed: 0,
    popular_hits: 0,
    examples: [
      { url: 'http://paypal.com.verify.example/', host: 'paypal.com.verify.example', before: 'warn', after: 'block' },
    ],
    invalid_lines: [],
    entries: 0,
  },
} satisfies Static<typeof PreviewedChangeSchema>;

/** Text of the effect of a change in the API document. */
export const PREVIEWED = {
  description: 'With `preview=true`: the effect; nothing was changed.',
  example: PREVIEWED_CHANGE,
};

const MAX_EXAMPLES = 20;

/** Describes the effect of a change. */
export function previewOf({
  rescored,
  entries,
  popular = { first: [], count: 0 },
  changed = [],
}: PreviewedVerdicts): Static<typeof PreviewedChangeSchema> {
  const counts = Array.from(rescored.changes, ([change, checks]) => ({ after: change.split(' ').at(-1), checks }));
  const sum = (some: typeof counts) => some.reduce((total, { checks }) => total + checks, 0);
  return {
    preview: {
      checked: rescored.judged,
      changed: sum(counts),
      newly_blocked: sum(counts.filter(({ after }) => after === 'block')),
      newly_allowed: sum(counts.filter(({ after }) => after === 'allow')),
      popular_hits: popular.count,
      ...(popular.count > 0 && { popular: popular.first.map(({ entry, site }) => ({ entry, site })) }),
      examples: rescored.changed.slice(0, MAX_EXAMPLES).map(({ check: { url }, was, now }) => ({
        ...{ url, host: URL.parse(url)?.hostname ?? '', before: was.decision, after: now.decision },
      })),
      ...listEffect(changed),
      entries,
    },
  };
}

/** Describes what a change does to the content of lists, besides its entries that are applied. */
function listEffect(changed: readonly ListChanged[]) {
  const sum = (count: (one: ListChanged) => number) => changed.reduce((total, one) => total + count(one), 0);
  const heldBack = changed.flatMap(({ quarantinedEntries }) => quarantinedEntries);
  const leftOut = changed.flatMap((one) => one.leftOut);
  const removed = sum((one) => one.removed);
  const isContent = changed.some(({ what }) => what === 'import' || what === 'add');
  return {
    invalid_lines: changed
      .flatMap(({ unread, skipped }) => [...unread.first, ...skipped.first])
      .map(({ line, message }) => ({ line, text: '', reason: message })),
    ...(heldBack.length > 0 && {
      held_back: heldBack.map(({ entry, line, why }) => ({ entry, line, code: why, reason: whyHeldBack(why) })),
    }),
    ...(leftOut.length > 0 && { left_out: leftOut.map(({ entry, line, why: code }) => ({ entry, line, code })) }),
    ...(isContent && {
      omitted: {
        held_back: sum(({ newlyQuarantined }) => newlyQuarantined),
        invalid: sum(({ unread, skipped }) => unread.count + skipped.count),
        expired: sum(({ expired }) => expired),
        duplicates: sum(({ repeated }) => repeated),
      },
    }),
    ...(removed > 0 && { removed: { count: removed, first: changed.flatMap((one) => one.removedEntries) } }),
  };
}
