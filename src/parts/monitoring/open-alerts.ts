import { X509Certificate } from 'node:crypto';
import { readKeyFile } from '#src/admin/keys/api-key.ts';
import type { ConfigFor } from '#src/app/config.ts';
import type { Engine } from '#src/app/engine.ts';
import type { LocalLog } from '#src/checks/store/local-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { VISIBILITIES } from '#src/core/base/visibility.ts';
import type { TlsPair } from '#src/network/certificate/tls-pair.ts';
import { backupFolderOf, runBackup, startScheduledBackups } from '#src/parts/backup/archive/scheduled-backups.ts';
import { type AlertChange, type AlertFacts, watchAlerts } from '#src/parts/monitoring/alerts/alert.ts';
import { readWatchState } from '#src/parts/proxy/gate/held-report.ts';

/** Dependencies of the alerts. */
interface WatchedService {
  /** Returns the current settings. */
  readonly running: () => ConfigFor<'serve'>;
  readonly engine: Pick<Engine, 'lists' | 'modelDate'>;
  /** Null with logs in databases. */
  readonly local: Pick<LocalLog, 'examine'> | null;
  /** See {@link AlertFacts.pulls}. */
  readonly pulls: AlertFacts['pulls'];
  /** Null without TLS. */
  readonly pair: () => Pick<TlsPair, 'cert'> | null;
  /** Called when an alert is raised or cleared. */
  readonly onChange: AlertChange;
  readonly logger: Logger;
}

/** Starts scheduled backups, and watches what an operator has to act on before it stops working. */
export function openAlerts({ running, engine, local, pulls, pair, onChange, logger }: WatchedService) {
  const { data_dir: dataDir } = running();
  const backups = startScheduledBackups({
    at: () => running().backup_at,
    folder: backupFolderOf(running()),
    keep: () => running().backup_keep,
    async write(path, stopping) {
      // A damaged log cannot be backed up: it is replaced first, with all of its checks that can be read.
      for (const visibility of local ? VISIBILITIES : []) await local?.examine(visibility);
      await runBackup(path, running(), stopping);
    },
    clock: systemClock,
    logger,
  });
  const facts = () => ({
    nowMs: systemClock.now(),
    backup: running().backup_at === null ? null : backups.status(),
    keys: readable(() => readKeyFile(dataDir)),
    pulls,
    certificateEndsMs: certificateEnd(pair()),
    lists: engine.lists.stored.map(({ version }) => version),
    modelDate: engine.modelDate(),
    gateWatchingSinceMs: watchingSince(running()),
  });
  const watch = watchAlerts(facts, onChange, logger);
  return {
    active: watch.active,
    async [Symbol.asyncDispose]() {
      watch[Symbol.dispose]();
      await backups[Symbol.asyncDispose]();
    },
  };
}

/** A file of keys that cannot be read is a notice of its own. */
function readable<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read();
  } catch {
    return [];
  }
}

/** Returns the start of an open gate's watch mode; null if it holds or is closed. */
function watchingSince({ gate_mode, icap_listen, icap_tls_listen, data_dir }: ConfigFor<'serve'>): number | null {
  if (gate_mode !== 'watch' || icap_listen.length + icap_tls_listen.length === 0) return null;
  const { watching_since: since } = readWatchState(data_dir);
  return since === null ? null : Date.parse(since);
}

function certificateEnd(pair: Pick<TlsPair, 'cert'> | null): number | null {
  return pair === null ? null : new X509Certificate(pair.cert).validToDate.getTime();
}
