import type { Engine } from '#src/app/engine.ts';
import type { CheckService } from '#src/checks/check/check.ts';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { HeldRequest } from '#src/parts/proxy/gate/gate.ts';

/**
 * Returns a function that records a held request in the private log, as a private check without a visit, and logs an event
 * without URL, host and client.
 */
export function heldRecorder(
  engine: Pick<Engine, 'checkWith'>,
  log: Pick<ScanLog, 'append'>,
  logger: Pick<Logger, 'info'>,
): (held: HeldRequest & { readonly queueId?: string }) => Promise<void> {
  const service: CheckService = engine.checkWith((record: CheckRecord) => log.append(record));
  return async ({ target, requestId, client, user, way, rule, isHeld, observations, queueId }) => {
    await service.check({
      target,
      visibility: 'private',
      via: way === 'milter' ? 'mail' : 'gate',
      visit: false,
      client,
      requestId,
      startedAtMs: systemClock.now(),
      gate: { way, rule, held: isHeld, ...(user !== null && { user }), ...(queueId && { queue_id: queueId }) },
      ...(observations && { observe: () => Promise.resolve(observations) }),
    });
    logger.info('gate.held', { request_id: requestId, way, rule, held: isHeld });
  };
}
