import { hostname } from 'node:os';
import type { ConfigFor } from '#src/app/config.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Notifier } from '#src/parts/monitoring/notifications/notifier.ts';

/**
 * Starts the notifications that the settings configure. A host without sendmail gets a notice: a mail server that is replaced
 * must not keep the service from starting.
 *
 * @throws OperationError if a file that they name cannot be used
 */
export async function openNotifier(
  config: Pick<ConfigFor<'serve'>, 'webhook_url' | 'webhook_secret' | 'mail_to' | 'node_name' | 'egress_ca'>,
  logger: Logger,
): Promise<Notifier> {
  const { webhook_url: url, webhook_secret: secret, mail_to: to } = config;
  const { findSendmail } = await import('#src/parts/monitoring/notifications/mail.ts');
  const { startNotifier } = await import('#src/parts/monitoring/notifications/notifier.ts');
  const source = config.node_name ?? hostname();
  if (to.length > 0 && findSendmail() === null) {
    const problem = 'this host has no sendmail: install a mail server, or remove mail_to';
    logger.warn('notifications.failed', { channel: 'mail', problem });
  }
  return startNotifier({
    webhook:
      url === null || secret === null
        ? null
        : { url, key: secret.key, source, authorities: await readAuthoritiesOf(config) },
    mail: to.length === 0 ? null : { to, source, sendmail: findSendmail },
    clock: systemClock,
    logger,
  });
}

/** The client of the network is loaded for those who have a webhook. */
async function readAuthoritiesOf(config: Pick<ConfigFor<'serve'>, 'egress_ca'>): Promise<readonly string[]> {
  const { readServiceAuthorities } = await import('#src/network/egress/egress.ts');
  return await readServiceAuthorities(config);
}
