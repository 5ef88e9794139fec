import { createListHits, hitsOf, mostHit } from '#src/checks/store/read/recent-list-hits.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createTurns } from '#src/core/base/turns.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { readListState } from '#src/network/lists/stored/list-state.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import type { FoundEntries } from '#src/parts/lists/find-entries.ts';
import { workOnLists } from '#src/parts/lists/thread/work-on-lists.ts';
import type { ConsoleService } from './console-place.ts';
import type { ListOperations } from './list-changes.ts';

/** Answer to a request that was aborted. */
const NOTHING_FOUND: FoundEntries = { entries: [], found: 0, next: null };

/** Returns what the console reads of lists, beside their files. */
export function consoleLists(service: ConsoleService): ListOperations {
  const dataDir = () => service.running().data_dir;
  const hits = createListHits(service.log, systemClock);
  // One search at a time reads through lists; what is typed on meanwhile replaces those that wait.
  const searches = createTurns();

  return {
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
    async test(target) {
      const { lists, models, settings } = service.engine.scoringContext();
      const observed = skippedObservations('disabled', observeLists(lists, target, systemClock.now()));
      const { decision } = assess(target, observed, models, settings);
      return {
        decision,
        entries: await service.heavy.run(async () => {
          const { lists: all } = await readListState(dataDir());
          return await workOnLists('coveringEntries', { versions: all }, dataDir(), all, target);
        }),
      };
    },
  };
}
