import type { Clock } from '#src/base/clock.ts';
import type { Logger } from '#src/base/logger.ts';

/** What `openEgress` needs from outside. */
export interface EgressTools {
  readonly clock: Clock;
  readonly logger: Logger;
}
