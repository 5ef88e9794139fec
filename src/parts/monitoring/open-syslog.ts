import { hostname } from 'node:os';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import { ecsEvent, type LogFormat } from '#src/core/base/log/log-format.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { readCertificates } from '#src/network/egress/authorities.ts';
import { readServiceAuthorities } from '#src/network/egress/egress.ts';
import type { EgressSettings } from '#src/network/egress/settings.ts';
import { localSyslogMessage, syslogMessage } from '#src/parts/monitoring/syslog/message.ts';
import { type SyslogSender, startSyslog } from '#src/parts/monitoring/syslog/sender.ts';
import type { SyslogAddress, SyslogSettings } from '#src/parts/monitoring/syslog/settings.ts';
import { connectSyslog } from '#src/parts/monitoring/syslog/transport.ts';

type OpenSyslogSettings = Pick<SyslogSettings, 'syslog'> &
  Pick<StoreSettings, 'node_name'> &
  Pick<EgressSettings, 'egress_ca'>;

/**
 * Connects to the log server of the settings; null if none is configured. It retries while the server is unreachable.
 *
 * @throws OperationError if a file that the settings name cannot be used
 */
export async function openSyslog(
  config: OpenSyslogSettings,
  logger: Logger,
  format: () => LogFormat,
): Promise<SyslogSender | null> {
  const { syslog: address } = config;
  if (address === null) return null;
  const authorities = (await readSyslogAuthorities(address)) ?? (await readServiceAuthorities(config));
  const write = address.way === 'unix' ? localSyslogMessage : syslogMessage;
  return startSyslog({
    connect: () => connectSyslog(address, authorities),
    write: (logged, origin) => write(format() === 'ecs' ? { ...logged, fields: ecsEvent(logged) } : logged, origin),
    origin: { hostname: config.node_name ?? hostname(), processId: process.pid },
    logger,
  });
}

/** Returns the authorities of a log server that names a file of its own; null if it does not. Throws SettingsError. */
export async function readSyslogAuthorities({ caFile }: SyslogAddress): Promise<readonly string[] | null> {
  return caFile === null ? null : await readCertificates('syslog', caFile);
}
