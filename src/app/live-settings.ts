import { readClientKey } from '#src/checks/store/write/client-hash.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { withAllProblems } from '#src/core/base/settings/setting-source.ts';
import type { TlsPair } from '#src/network/certificate/tls-pair.ts';
import type { Limits } from '#src/service/server/limiter/quota.ts';
import { type Changed, type ConfigFor, changeRunning } from './config.ts';
import type { Engine } from './engine.ts';
import type { Listeners } from './listen/listeners.ts';
import type { OpenedParts } from './parts/open-parts.ts';

/** Settings that a reload can change. */
export interface LiveSettings {
  running: ConfigFor<'serve'>;
  /** Null without TLS. */
  pair: TlsPair | null;
  /** The key in `client_key_file` at the start; null without that setting. */
  readonly clientKey: Buffer | null;
}

/** Reads the certificate and key of the service; null, and nothing of it is loaded, without TLS. Throws SettingsError. */
export async function readPair(config: Pick<ConfigFor<'serve'>, 'tls_certificate' | 'tls_key'>) {
  if (config.tls_certificate === null) return null;
  return await (await import('#src/network/certificate/tls-pair.ts')).readTlsPair(config);
}

/** Parts of a service to which a reload applies the changed settings. */
export interface ReloadTargets {
  readonly engine: Pick<Engine, 'prepareReload'>;
  readonly listeners: readonly Pick<Listeners, 'renew'>[];
  readonly parts: Pick<OpenedParts, 'renew' | 'reload'>;
  readonly limits: Pick<Limits, 'change'>;
  /** Replaces servers and credentials of databases and limiter by those of `next`, in the background if they do not work yet. */
  readonly rotate: (next: RotatingSettings) => Promise<() => Promise<void>>;
  /** Looks for packs and list sources at once. */
  readonly refreshSources: () => Promise<unknown>;
  readonly logger: Logger;
}

/**
 * Applies the reloadable settings of `next`, and reads the files that they name again. If a file or setting is invalid,
 * all settings stay as they are.
 *
 * @throws SettingsError
 */
export async function reloadSettings(
  live: LiveSettings,
  { engine, listeners, parts, limits, rotate, refreshSources, logger }: ReloadTargets,
  next: ConfigFor<'serve'>,
): Promise<Changed<ConfigFor<'serve'>>> {
  const changed = withRotating(live.running, withTls(live.running, changeRunning(live.running, next)), next);
  const [{ use, hasOtherAuthorities }, nextPair, clientKey, rotateAll] = await withAllProblems([
    engine.prepareReload(changed.active),
    readPair(changed.active),
    readClientKey(live.running),
    rotate(next),
  ]);
  if (nextPair !== null && !Bun.deepEquals(nextPair, live.pair)) {
    for (const { renew } of listeners) renew(nextPair);
    parts.renew(nextPair);
    live.pair = nextPair;
    logger.info('tls.certificate_renewed');
  }
  use();
  limits.change(changed.active);
  live.running = changed.active;
  await parts.reload();
  await rotateAll();
  await refreshSources();
  const otherFiles = [
    ...(hasOtherAuthorities ? ['egress_ca'] : []),
    ...(Bun.deepEquals(clientKey, live.clientKey) ? [] : ['client_key_file']),
  ];
  return { ...changed, needRestart: [...changed.needRestart, ...otherFiles] };
}

/** Settings whose values the parts of a service share as lists, which {@link ReloadTargets.rotate} replaces. */
const ROTATING = ['log_database', 'log_database_private', 'limiter'] as const;

/** Settings that name servers and credentials. */
export type RotatingSettings = Pick<ConfigFor<'serve'>, (typeof ROTATING)[number] | 'data_dir'>;

/** Keeps the lists of servers, which are replaced by themselves. The first and the last server need a restart. */
function withRotating<Values extends RotatingSettings>(
  running: Values,
  changed: Changed<Values>,
  next: Values,
): Changed<Values> {
  const { log_database, log_database_private, limiter } = running;
  const isOther = (key: (typeof ROTATING)[number]) => (running[key].length === 0) !== (next[key].length === 0);
  return {
    active: { ...changed.active, log_database, log_database_private, limiter },
    needRestart: [...changed.needRestart, ...ROTATING.filter(isOther)],
  };
}

/** Keeps the TLS settings if TLS was enabled or disabled, which needs a restart. */
function withTls<Values extends ConfigFor<'serve'>>(running: Values, changed: Changed<Values>): Changed<Values> {
  const { tls_certificate, tls_key } = running;
  if ((tls_certificate === null) === (changed.active.tls_certificate === null)) return changed;
  return {
    active: { ...changed.active, tls_certificate, tls_key },
    needRestart: [...changed.needRestart, 'tls_certificate', 'tls_key'],
  };
}
