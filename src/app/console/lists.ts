import { setImmediate } from 'node:timers/promises';
import { audited } from '#src/admin/audit/audit-log.ts';
import { auditOfChange } from '#src/admin/lists/audit-of-change.ts';
import type { PreparedLists } from '#src/admin/lists/change-lists.ts';
import type { FoundEntries } from '#src/admin/lists/find-entries.ts';
import type { ListChange } from '#src/admin/lists/list-change.ts';
import { previewLists } from '#src/admin/lists/preview-lists.ts';
import { prepareStoredLists } from '#src/admin/lists/stored-lists.ts';
import { workOnLists } from '#src/admin/lists/thread/work-on-lists.ts';
import { compareChecks } from '#src/admin/models/comparison.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createTurns } from '#src/core/base/turns.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { OPERATOR, readListState } from '#src/network/lists/stored/list-state.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import type { ListOperations } from '#src/service/server/admin/list-changes.ts';
import { type ConsoleService, changeActive } from './console-service.ts';
import { latestChecks } from './latest-checks.ts';
import { createListHits, hitsOf, mostHit } from './list-hits.ts';

/** Number of latest checks on which a preview compares. */
const PREVIEWED_CHECKS = 10_000;

/** Maximum number of entries at popular sites that a preview names. */
const MAX_POPULAR = 10;

/** Answer to a request that was aborted. */
const NOTHING_FOUND: FoundEntries = { entries: [], found: 0, next: null };

/** Returns what the console does with lists. */
export function consoleLists(service: ConsoleService): ListOperations {
  const dataDir = () => service.running().data_dir;
  const versions = async () => (await readListState(dataDir())).lists;
  const hits = createListHits(service.log, systemClock);
  // One search at a time reads through lists; what is typed on meanwhile replaces those that wait.
  const searches = createTurns();

  return {
    list: versions,
    async hits(list) {
      const counted = await hits();
      return counted && (counted.get(list)?.total ?? 0);
    },
    async find(lists, query, signal) {
      const counted = await hits();
      const { search, sort, isDescending, after } = query;
      // The beginning of a list is found at once.
      const isBeginning = search === '' && sort === 'line' && !isDescending && after === null;
      const ranked = sort === 'hits' ? await mostHit(counted) : new Map();
      const find = () =>
        workOnLists('findEntries', { versions: isBeginning ? [] : lists }, dataDir(), lists, query, ranked);
      const run = async () => (signal.aborted ? NOTHING_FOUND : await find());
      const { entries, ...rest } = isBeginning ? await find() : await searches.run(run);
      return { ...rest, entries: entries.map((one) => ({ ...one, hits: hitsOf(counted, one.list, one.row.entry) })) };
    },
    async versions(name) {
      const { lists, before } = await readListState(dataDir());
      const states = [{ lists, changed_by: null }, ...before];
      const found = states.flatMap((state) => state.lists.filter((list) => list.name === name));
      return found.filter(({ sha256 }, i) => found.findIndex((other) => other.sha256 === sha256) === i);
    },
    async test(target) {
      const { lists, models, settings } = service.engine.scoringContext();
      const observed = skippedObservations('disabled', observeLists(lists, target, systemClock.now()));
      const { decision } = assess(target, observed, models, settings);
      return {
        decision,
        entries: await service.heavy.run(async () => {
          const all = await versions();
          return await workOnLists('coveringEntries', { versions: all }, dataDir(), all, target);
        }),
      };
    },
    preview: (change) =>
      service.heavy.run(() => prepared(dataDir(), change, (lists) => previewLocalChange(service, lists))),
    async change(by, change) {
      return await prepared(dataDir(), change, async (lists) => {
        await changeActive(service, ['lists'], () =>
          audited(dataDir(), by, auditOfChange(change, lists), lists.commit),
        );
        return lists.changed;
      });
    },
  };
}

/** Prepares a change for as long as the work with it takes. */
async function prepared<T>(
  dataDir: string,
  change: ListChange,
  work: (lists: PreparedLists) => Promise<T>,
): Promise<T> {
  const lists = await prepareStoredLists(dataDir, OPERATOR, [change]);
  let isDone = false;
  try {
    const result = await work(lists);
    isDone = (await readListState(dataDir)).revision > lists.now.revision;
    return result;
  } finally {
    if (!isDone) await lists.discard();
  }
}

/** Returns the effect of prepared lists on the verdicts of the latest public checks. */
export async function previewLocalChange({ engine, running, log }: ConsoleService, lists: PreparedLists) {
  const context = engine.scoringContext();
  const preview = await previewLists(running().data_dir, lists, context, systemClock.now());
  const compare: Parameters<typeof compareChecks>[2] = (result) => {
    const scored = preview.score(result);
    return scored && { now: scored.was, other: scored.now };
  };
  const { version } = context.models;
  const entries = latestChecks(log, PREVIEWED_CHECKS);
  const comparison = await compareChecks([version, version], entries, compare, setImmediate);
  const { at } = await preview.popularSites(MAX_POPULAR);
  return {
    ...{ comparison, popular: at, changed: lists.changed },
    entries: lists.changed.reduce((sum, list) => sum + list.entries, 0),
  };
}
