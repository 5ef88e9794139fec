import { Gauge, type Registry } from 'prom-client';
import type { LocalLists } from '#src/network/lists/local-lists.ts';

/** Registers the metrics of lists. */
export function listMetrics(registry: Registry, lists: () => LocalLists): void {
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
  new Gauge({
    name: 'lurecheck_list_entries',
    help: "Entries of the operator's own lists.",
    labelNames: ['list', 'action'],
    registers: [registry],
    collect() {
      this.reset();
      // Two files may have one name.
      for (const { name, action, size } of ofEachList()) this.inc({ list: name, action }, size);
    },
  });
  new Gauge({
    name: 'lurecheck_list_quarantined_entries',
    help: 'Entries of lists in the data directory that are kept without being applied: they would cover the sites of many.',
    labelNames: ['list', 'action'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { version } of lists().stored) {
        this.set({ list: version.name, action: version.action }, version.quarantined);
      }
    },
  });
  new Gauge({
    name: 'lurecheck_list_changed_timestamp_seconds',
    help: "When one of the operator's own lists was last changed, in seconds since the Unix epoch.",
    labelNames: ['list', 'action'],
    registers: [registry],
    collect() {
      this.reset();
      const dated = ofEachList().flatMap(({ name, action, changedAtMs: ms }) =>
        ms === null ? [] : { name, action, ms },
      );
      // Of two files with one name, report the older one.
      for (const { name, action, ms } of dated.toSorted((a, b) => b.ms - a.ms))
        this.set({ list: name, action }, ms / 1000);
    },
  });
}
