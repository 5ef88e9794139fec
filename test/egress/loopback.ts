import { systemClock } from '#src/base/clock.ts';
import { parseCidr } from '#src/base/ip.ts';
import { createLogger } from '#src/base/logger.ts';
import { openEgress } from '#src/egress/egress.ts';
import { DEFAULT_EGRESS_SETTINGS, type EgressSettings } from '#src/egress/settings.ts';

/** Not the system's resolver: a test asks nobody outside. */
const NOBODY = { address: '127.0.0.1', port: 1 };
const LOOPBACK = parseCidr('127.0.0.0/8');

/** A door that may reach servers of a test on this machine, at these ports. */
export function openLoopback(ports: readonly number[], more: Partial<EgressSettings> = {}) {
  if (typeof LOOPBACK === 'string') throw new Error(LOOPBACK);
  return openEgress(
    {
      ...DEFAULT_EGRESS_SETTINGS,
      dnsServer: [NOBODY],
      egressAllow: [LOOPBACK],
      egressPort: ports,
      egressName: ['test'],
      ...more,
    },
    { clock: systemClock, logger: createLogger('error', () => {}) },
  );
}
