import { setImmediate } from 'node:timers/promises';
import { audited } from '#src/admin/audit/audit-log.ts';
import type { PreparedLists } from '#src/admin/lists/change-lists.ts';
import type { ListChange } from '#src/admin/lists/list-change.ts';
import { previewLists } from '#src/admin/lists/preview-lists.ts';
import { prepareStoredLists } from '#src/admin/lists/stored-lists.ts';
import { workOnLists } from '#src/admin/lists/thread/work-on-lists.ts';
import { compareChecks } from '#src/admin/models/comparison.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { OPERATOR, readListState } from '#src/network/lists/stored/list-state.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import type { ListOperations } from '#src/service/server/admin/list-changes.ts';
import { type ConsoleService, changeActive } from './console-service.ts';
import { latestChecks } from './latest-checks.ts';

/** Number of latest checks on which a preview compares. */
const PREVIEWED_CHECKS = 10_000;

/** Returns what the console does with lists. */
export function consoleLists(service: ConsoleService): ListOperations {
  const dataDir = () => service.running().data_dir;
  const versions = async () => (await readListState(dataDir())).lists;

  return {
    list: versions,
    async page(version, limit, skipped) {
      // The beginning is found at once.
      const versions = skipped === 0 ? [] : [version];
      const rows = await workOnLists('readRows', { versions }, dataDir(), version.file, skipped, limit + 1);
      return { rows: rows.slice(0, limit), next: rows.length > limit ? skipped + limit : null };
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
          audited(dataDir(), by, auditedChange(change, lists), lists.commit),
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

function auditedChange(change: ListChange, { next }: PreparedLists) {
  const version = next.find(({ name }) => name === change.list);
  const detail =
    change.what === 'remove'
      ? { entry: change.entry }
      : { entries: version?.entries ?? 0, sha256: version?.sha256 ?? null };
  return { action: `lists.${change.what}`, subject: change.list, detail };
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
  const { at } = await preview.popularSites(0);
  return {
    ...{ comparison, popularHits: at.count, changed: lists.changed },
    entries: lists.changed.reduce((sum, list) => sum + list.entries, 0),
  };
}
