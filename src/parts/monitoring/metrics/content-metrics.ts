import type { Meters } from '#src/app/parts/meters.ts';
import type { StoredOutcome } from '#src/checks/record/stats.ts';
import type { LocalLists } from '#src/network/lists/local-lists.ts';

/** Registers the metrics of lists. */
export function listMetrics({ readGauges }: Meters, lists: () => LocalLists): void {
  const ofEachList = () => {
    const { block, allow, stored } = lists();
    return [
      ...block.map(({ name, index: { size }, changedAtMs }) => ({ name, action: 'block', size, changedAtMs })),
      ...allow.map(({ name, index: { size }, changedAtMs }) => ({ name, action: 'allow', size, changedAtMs })),
      ...stored.map(({ version: { name, action, entries, changed_at } }) => {
        return { name, action, size: entries, changedAtMs: Date.parse(changed_at) };
      }),
    ];
  };
  // Two files may have one name.
  readGauges('lurecheck_list_entries', "Entries of the operator's own lists.", ['list', 'action'], () =>
    ofEachList().map(({ name: list, action, size }) => [{ list, action }, size]),
  );
  readGauges(
    'lurecheck_list_quarantined_entries',
    'Entries of lists in the data directory that are kept without being applied: they would cover the sites of many.',
    ['list', 'action'],
    () => lists().stored.map(({ version: { name: list, action, quarantined } }) => [{ list, action }, quarantined]),
  );
  readGauges(
    'lurecheck_list_changed_timestamp_seconds',
    "When one of the operator's own lists was last changed, in seconds since the Unix epoch.",
    ['list', 'action'],
    () => {
      const dated = ofEachList().flatMap(({ name: list, action, changedAtMs: ms }) =>
        ms === null ? [] : { list, action, ms },
      );
      // Of two files with one name, report the older one.
      const entries = dated.toSorted((a, b) => b.ms - a.ms).map((one) => [`${one.action} ${one.list}`, one] as const);
      return Array.from(new Map(entries).values(), ({ list, action, ms }) => [{ list, action }, ms / 1000] as const);
    },
  );
}

/** Sources of pack metrics. */
export interface MeasuredPacks {
  readonly packs: readonly {
    readonly name: string;
    readonly version: number;
    readonly publisher: string;
    /** ISO 8601 UTC; null if unreadable. */
    readonly expires: string | null;
  }[];
  /** Files of the drop folder. */
  readonly refused: readonly unknown[];
  readonly notices: readonly unknown[];
}

/** Registers the metrics of signed packs. */
export function packMetrics({ readGauge, readGauges }: Meters, measured: () => MeasuredPacks): void {
  readGauges('lurecheck_pack_info', 'Always 1; the active signed packs.', ['pack', 'version', 'publisher'], () =>
    measured().packs.map(({ name, version, publisher }) => [{ pack: name, version: String(version), publisher }, 1]),
  );
  readGauges(
    'lurecheck_pack_expires_timestamp_seconds',
    'Expiry of an active signed pack, in seconds since the Unix epoch.',
    ['pack'],
    () =>
      measured().packs.flatMap(({ name, expires }) =>
        expires === null ? [] : [[{ pack: name }, Date.parse(expires) / 1000] as const],
      ),
  );
  readGauge(
    'lurecheck_pack_problems',
    'What is wrong with signed packs and the clock that they are held against: those that are out of date, revoked or unusable, a clock that went back, and files of the drop folder that are refused.',
    () => measured().notices.length + measured().refused.length,
  );
}

/** Registers the metrics of nightly re-scoring; no values before the first run. */
export function rescoreMetrics({ readGauge, readGauges }: Meters, rescored: () => StoredOutcome | null): void {
  readGauge(
    'lurecheck_rescore_checks',
    'Public checks that were re-scored last night by the model, lists and brands.',
    () => rescored()?.judged ?? null,
  );
  readGauges(
    'lurecheck_rescore_changed_checks',
    'Of these, checks that would come out otherwise.',
    ['was', 'now'],
    () => (rescored()?.changes ?? []).map(({ was, now, checks }) => [{ was, now }, checks]),
  );
  readGauge(
    'lurecheck_rescore_finished_timestamp_seconds',
    'When they had been re-scored, in seconds since the Unix epoch.',
    () => {
      const outcome = rescored();
      return outcome && Date.parse(outcome.finished_at) / 1000;
    },
  );
}
