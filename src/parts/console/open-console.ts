import { FIRST_SETTINGS } from '#src/app/config.ts';
import type { OpenedParts } from '#src/app/parts/open-parts.ts';
import { PROVIDED } from '#src/app/parts.ts';
import { plainValue, settingsShown } from '#src/app/settings-shown.ts';
import type { LiveChecks } from '#src/checks/check/live-checks.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { importedOnUse } from '#src/core/base/lazily.ts';
import { createTurns } from '#src/core/base/turns.ts';
import { type ActivitySources, consoleActivity } from './activity.ts';
import type { ActiveSetting } from './answers/console-answers.ts';
import { consoleChecks } from './checks.ts';
import { type ConsoleService, consoleActs, consolePlace } from './console-place.ts';
import type { ConsoleOperations } from './console-routes.ts';
import type { StatusSources } from './status.ts';

/** Dependencies of {@link openConsole}. */
export type ConsoleSources = Omit<ConsoleService, 'heavy' | 'log'> &
  Omit<StatusSources, 'startedAt'> & {
    readonly openedLog: {
      readonly log: ConsoleService['log'] & Parameters<typeof consoleChecks>[1] & ActivitySources['log'];
    };
    readonly parts: Pick<OpenedParts, 'get'>;
    readonly liveChecks: LiveChecks;
    /** Aborted once the service shuts down. */
    readonly stopping: AbortSignal;
  };

/** Returns what the console does with a service. Most of it is imported when an operator uses it. */
export function openConsole(sources: ConsoleSources): ConsoleOperations {
  const { running, origins, openedLog, parts, liveChecks, stopping } = sources;
  const [gate, milter] = [parts.get('proxy'), parts.get('mail')];
  const service = { ...sources, log: openedLog.log, heavy: createTurns(), stopping };
  const changes = createTurns();
  const ofGate = importedOnUse(async () => (await PROVIDED.consoleGate())(service, gate));
  const startedAt = new Date(systemClock.now()).toISOString();
  return {
    acts: consoleActs(consolePlace(service), service.heavy),
    gate: {
      report: (since) => ofGate.report(since),
      test: (url) => ofGate.test(url),
      passed: () => gate?.passed() ?? null,
    },
    activity: consoleActivity({
      ...{ dataDir: running().data_dir, log: openedLog.log, hasDatabases: openedLog.databases !== null },
      ...{ live: liveChecks, stopping },
      passed: () => ({ gate: gate?.passed() ?? null, mail: milter?.passed() ?? null }),
    }),
    checks: consoleChecks(running().data_dir, openedLog.log, openedLog.databases !== null),
    lists: importedOnUse(async () => (await import('./lists.ts')).consoleLists(service)),
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
      return await serviceStatus({ ...sources, startedAt });
    },
    async renewSources() {
      await sources.background.renewSources();
      return sources.background.listSources().sources.map((source) => ({ ...source }));
    },
    inTurn: (work) => changes.run(work),
  };
}
