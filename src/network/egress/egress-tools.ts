import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';

/** What `openEgress` needs from outside. */
export interface EgressTools {
  readonly clock: Clock;
  readonly logger: Logger;
}
