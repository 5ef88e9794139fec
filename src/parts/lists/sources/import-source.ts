import type { ScoringContext } from '#src/admin/active/scoring-context.ts';
import { audited } from '#src/admin/audit/audit-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { displayLocation, type ListSource } from '#src/network/lists/settings.ts';
import { type ListAction, SOURCE } from '#src/network/lists/stored/list-state.ts';
import {
  allChanged,
  changesMade,
  type Rescored,
  rescoreAll,
  type StoredChecks,
} from '#src/parts/tuning/rescore/rescore.ts';
import type { ListChanged } from '../list-change.ts';
import { type ListsPreview, previewLists } from '../preview-lists.ts';
import { prepareStoredLists } from '../thread/work-on-lists.ts';

/** A list of at least this many entries that loses nine tenths of them at once is a mistake of its publisher. */
const FEW_ENTRIES = 100;
const LEAST_SHARE = 0.1;

/** Number of lines per tolerated invalid line; an error page has more invalid ones. */
const LINES_PER_BAD_LINE = 100;

/** A list that turns more than this share of at least this many earlier decisions into the opposite is a mistake. */
const MOST_TURNED = 0.1;
const FEW_CHECKS = 100;

/** Context for measuring the effect of an import. */
export interface SourcePreview {
  readonly context: ScoringContext;
  readonly latestChecks: StoredChecks;
}

/** An import that was made. */
export interface SourceImported {
  readonly changed: ListChanged;
  /** Number of the latest checks that would have another decision now. */
  readonly checksChanged: number;
}

/**
 * Imports what was fetched from a source, with the guard and preview of a manual import. Refuses what would require
 * confirmation.
 *
 * @param bytes content of the list, which must not be used afterwards
 * @throws OperationError that says why nothing was changed; StoreError if the checks cannot be read
 */
export async function importSource(
  dataDir: string,
  source: ListSource,
  bytes: Uint8Array,
  { context, latestChecks }: SourcePreview,
): Promise<SourceImported> {
  const { name: list, action } = source;
  const prepared = await prepareStoredLists(dataDir, SOURCE, [
    {
      ...{ what: 'import', list, action, source: 'it', expiresAtMs: null, skipsInvalid: true },
      items: { bytes, format: source.format },
    },
  ]);
  let isDone = false;
  try {
    const changed = prepared.changed[0];
    if (changed === undefined) throw new TypeError('nothing was prepared');
    refuseMistake(changed);
    const preview = await previewLists(dataDir, prepared, context, systemClock.now());
    await refuseBlockedSites(preview);
    const rescored = await rescoreAll(latestChecks, preview.score);
    refuseTurned(rescored, action);
    const sha256 = prepared.next.find(({ name }) => name === list)?.sha256 ?? null;
    const detail = { source: displayLocation(source), entries: changed.entries, sha256 };
    const what = { action: 'lists.import', subject: list, detail };
    await audited(dataDir, { service: 'list_sources' }, what, prepared.commit);
    isDone = true;
    return { changed, checksChanged: allChanged(rescored) };
  } finally {
    if (!isDone) await prepared.discard();
  }
}

async function refuseBlockedSites(preview: ListsPreview): Promise<void> {
  const { changed } = await preview.popularSites(1);
  const blocked = changed.filter(({ now }) => now === 'block');
  if (blocked[0])
    throw refused(`would block ${blocked.length} well-known sites, ${new URL(blocked[0].url).hostname} among them`);
}

/**
 * Rejects a list that blocks much of what was allowed, or allows much of what was not. The message contains only
 * numbers.
 */
function refuseTurned(rescored: Rescored, action: ListAction): void {
  const { judged } = rescored;
  const [before, after] = action === 'block' ? (['allow', 'block'] as const) : (['block', 'allow'] as const);
  const turned = changesMade(rescored).find(({ was, now }) => was === before && now === after)?.checks ?? 0;
  if (judged >= FEW_CHECKS && turned > judged * MOST_TURNED)
    throw refused(`would ${action} ${turned} of the latest ${judged} checks, which had the decision ${before}`);
}

/** Refuses what a person would not confirm. */
function refuseMistake({ entries, entriesBefore, quarantined, unread, format }: ListChanged): void {
  if (unread.count * LINES_PER_BAD_LINE > entries + quarantined) {
    const { line = 0, message = '' } = unread.first[0] ?? {};
    throw refused(`was read as ${format} and has ${unread.count} invalid lines; line ${line}: ${message}`);
  }
  if (entries === 0) throw refused('has no entry that can be applied');
  if (entriesBefore >= FEW_ENTRIES && entries < entriesBefore * LEAST_SHARE)
    throw refused(
      `has ${entries} entries and had ${entriesBefore}: if that is correct, run lurecheck lists remove first`,
    );
}

const refused = (what: string) => new OperationError('source_failed', [`it ${what}; nothing was changed`]);
