import { hostname } from 'node:os';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { readCertificates } from '#src/network/egress/authorities.ts';
import type { EgressSettings } from '#src/network/egress/settings.ts';
import { localSyslogMessage, syslogMessage } from '#src/service/syslog/message.ts';
import { type SyslogSender, startSyslog } from '#src/service/syslog/sender.ts';
import type { SyslogSettings } from '#src/service/syslog/settings.ts';
import { connectSyslog } from '#src/service/syslog/transport.ts';
import { readServiceAuthorities } from './fleet/service-authorities.ts';

type OpenSyslogSettings = Pick<SyslogSettings, 'syslog'> &
  Pick<StoreSettings, 'node_name'> &
  Pick<EgressSettings, 'egress_ca'>;

/**
 * Connects to the log server of the settings; null if none is configured. It retries while the server is unreachable.
 *
 * @throws SettingsError if a file that the settings name cannot be used
 */
export async function openSyslog(config: OpenSyslogSettings, logger: Logger): Promise<SyslogSender | null> {
  const { syslog: address } = config;
  if (address === null) return null;
  const authorities =
    address.caFile === null ? await readServiceAuthorities(config) : await readCertificates('syslog', address.caFile);
  return startSyslog({
    connect: () => connectSyslog(address, authorities),
    write: address.way === 'unix' ? localSyslogMessage : syslogMessage,
    origin: { hostname: config.node_name ?? hostname(), processId: process.pid },
    logger,
  });
}
