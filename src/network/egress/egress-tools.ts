import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';

/** Dependencies of `openEgress`. */
export interface EgressTools {
  readonly clock: Clock;
  readonly logger: Logger;
}
