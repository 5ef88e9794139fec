import { perform, withDraft } from '#src/admin/audit/act.ts';
import type { FoundEntries } from '#src/admin/lists/find-entries.ts';
import { LIST_ACTS } from '#src/admin/lists/list-acts.ts';
import { previewChange } from '#src/admin/lists/preview-change.ts';
import { workOnLists } from '#src/admin/lists/thread/work-on-lists.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createTurns } from '#src/core/base/turns.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { readListState } from '#src/network/lists/stored/list-state.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import type { ListOperations } from '#src/service/server/admin/list-changes.ts';
import { type ConsoleService, consolePlace } from './console-service.ts';
import { createListHits, hitsOf, mostHit } from './list-hits.ts';

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
      service.heavy.run(() =>
        withDraft(LIST_ACTS[change.what], consolePlace(service), change, ({ lists }) =>
          previewChange(dataDir(), lists, service.engine.scoringContext(), service.log),
        ),
      ),
    change: (by, change) => perform(LIST_ACTS[change.what], consolePlace(service), by, change),
  };
}
