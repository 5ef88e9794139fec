import { appendAudit, latestEntries } from '#src/admin/audit/audit-log.ts';
import { FIRST_SETTINGS } from '#src/app/config.ts';
import { plainValue, settingsShown } from '#src/app/settings-shown.ts';
import type { LiveChecks } from '#src/checks/check/live-checks.ts';
import type { Activity } from '#src/checks/record/activity.ts';
import { importedOnUse } from '#src/core/base/lazily.ts';
import { createTurns } from '#src/core/base/turns.ts';
import type { OpenedGate } from '#src/parts/proxy/open-gate.ts';
import { type ActivitySources, consoleActivity } from './activity.ts';
import type { ActiveSetting } from './answers/console-answers.ts';
import { consoleChecks } from './checks.ts';
import { type ConsoleService, consoleActs, consolePlace } from './console-place.ts';
import type { ConsoleOperations } from './console-routes.ts';
import type { StatusSources } from './status.ts';

/** Dependencies of {@link openConsole}. */
export type ConsoleSources = Omit<ConsoleService, 'heavy' | 'log'> &
  StatusSources & {
    readonly openedLog: {
      readonly log: ConsoleService['log'] & Parameters<typeof consoleChecks>[1] & ActivitySources['log'];
    };
    /** The open gate; null without one. */
    readonly gate: () => OpenedGate | null;
    /** Counts the mails of the milter; null without one. */
    readonly milter: () => { passed(): Activity['node']['mail'] } | null;
    /** The keys of the service. */
    readonly apiKeys: ConsoleOperations['apiKeys'];
    readonly keyUsedMs: ConsoleOperations['keyUsedMs'];
    readonly liveChecks: LiveChecks;
    /** Aborted once the service shuts down. */
    readonly stopping: AbortSignal;
  };

/** Returns what the console does with a service. Most of it is imported when an operator uses it. */
export function openConsole(sources: ConsoleSources): ConsoleOperations {
  const { running, origins, openedLog, gate, milter, liveChecks, stopping, apiKeys, keyUsedMs } = sources;
  const { data_dir: dataDir } = running();
  const service = { ...sources, log: openedLog.log, heavy: createTurns(), stopping };
  const place = consolePlace(service);
  const reading = { ...place, heavy: service.heavy };
  const changes = createTurns();
  return {
    acts: consoleActs(place, service.heavy),
    gate: importedOnUse(async () => (await import('#src/parts/proxy/gate-routes.ts')).gateOperations(reading, gate)),
    activity: consoleActivity({
      ...{ dataDir, log: openedLog.log, hasDatabases: openedLog.databases !== null },
      ...{ live: liveChecks, stopping },
      passed: () => ({ gate: gate()?.passed() ?? null, mail: milter()?.passed() ?? null }),
    }),
    checks: consoleChecks(dataDir, openedLog.log, openedLog.databases !== null),
    lists: importedOnUse(async () => (await import('#src/parts/lists/routes/list-changes.ts')).listOperations(reading)),
    nodes: importedOnUse(async () => (await import('./checks.ts')).consoleNodes(service)),
    activeSettings: () =>
      settingsShown({ values: running(), origins: origins() }).map(
        ({ key, kind, description, isReloadable, value, origin }): ActiveSetting => ({
          name: key,
          ...{ description, common: FIRST_SETTINGS.some((one) => one === key) },
          value: plainValue(kind, value),
          source: origin.source === 'variable' ? 'environment' : origin.source,
          reloadable: isReloadable,
        }),
      ),
    async status() {
      const { serviceStatus } = await import('./status.ts');
      return await serviceStatus(sources);
    },
    async renewSources() {
      await sources.background.renewSources();
      return sources.background.listSources().sources.map((source) => ({ ...source }));
    },
    inTurn: (work) => changes.run(work),
    audit: (by, what) => appendAudit(dataDir, by, what),
    auditEntries: (limit, before) => latestEntries(dataDir, limit, before),
    apiKeys,
    keyUsedMs,
  };
}
