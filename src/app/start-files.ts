import { readClientKey } from '#src/checks/store/write/client-hash.ts';
import { withAllProblems } from '#src/core/base/settings/setting-source.ts';
import type { TlsPair } from '#src/network/certificate/tls-pair.ts';
import type { ConfigFor } from './config.ts';
import { readPair } from './live-settings.ts';
import { PROVIDED, type Provided } from './parts.ts';

/** Content of the files that settings name and without which a service does not start. */
export interface StartFiles {
  /** Null without TLS. */
  readonly pair: TlsPair | null;
  /** The key in `client_key_file`; null without that setting. */
  readonly clientKey: Buffer | null;
  /** Servers of the databases with their certificates; null if the logs are files. */
  readonly logServers: Provided<'readLogServers'> | null;
}

/**
 * Reads them, and those that are read again when the limiter and the log server are opened. `config check` does the
 * same, so that both report the same problems.
 *
 * @throws SettingsError with the problems of all files
 */
export async function readStartFiles(config: ConfigFor<'serve'>): Promise<StartFiles> {
  const [pair, clientKey, logServers] = await withAllProblems([
    readPair(config),
    readClientKey(config),
    readLogServers(config),
    checkLimiter(config),
    checkSyslog(config),
  ]);
  return { pair, clientKey, logServers };
}

// Nothing is loaded for settings that are not used.

async function readLogServers(config: ConfigFor<'serve'>): Promise<StartFiles['logServers']> {
  return config.log_database.length === 0 ? null : await (await PROVIDED.readLogServers())(config);
}

async function checkLimiter(config: ConfigFor<'serve'>): Promise<void> {
  if (config.limiter.length > 0) await (await PROVIDED.readLimiterServers())(config);
}

async function checkSyslog({ syslog }: ConfigFor<'serve'>): Promise<void> {
  if (syslog !== null) await (await PROVIDED.readSyslogAuthorities())(syslog);
}
