import { parseCidr } from '#src/core/base/addresses/ip.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { createEgressCompartment } from '#src/network/egress/compartment.ts';
import { type Egress, openEgress } from '#src/network/egress/egress.ts';
import type { EgressClient } from '#src/network/egress/egress-client.ts';
import { EGRESS_SETTINGS, type EgressSettings } from '#src/network/egress/settings.ts';
import { HTML_SETTINGS } from '#src/network/html/settings.ts';
import { PATIENT_SECONDS } from '#test/support/patience.ts';

/** Not the system's resolver: a test asks nobody outside. */
const NOBODY = { address: '127.0.0.1', port: 1 };
const LOOPBACK = parseCidr('127.0.0.0/8');

/** Whoever of a test's servers is slow is so because the machine is busy. */
export const PATIENCE = { dns_timeout_seconds: PATIENT_SECONDS, connect_timeout_seconds: PATIENT_SECONDS };

/** The network, and a compartment that all checks of a test share. */
export interface TestEgress extends Egress {
  /** An egress client for a check of that compartment. */
  client(): EgressClient;
}

/** The network as the program has it by default, but for some settings, and with authorities of a test. */
export function openEgressWith(own: Partial<EgressSettings>, authorities: readonly string[] = []): TestEgress {
  const tools = { clock: systemClock, logger: createLogger('error', () => {}) };
  const settings = { ...defaultsOf({ ...EGRESS_SETTINGS, ...HTML_SETTINGS }), ...own };
  const egress = openEgress(settings, authorities, tools);
  const compartment = createEgressCompartment(settings, tools.clock);
  return { ...egress, client: () => egress.open(compartment) };
}

/** An egress client that may reach servers of a test on this machine, at these ports, and waits for them patiently. */
export function openLoopback(
  ports: readonly number[],
  more: Partial<EgressSettings> = {},
  authorities: readonly string[] = [],
): TestEgress {
  if (typeof LOOPBACK === 'string') throw new Error(LOOPBACK);
  const own = { dns_server: [NOBODY], egress_allow: [LOOPBACK], egress_port: ports, egress_name: ['test'] };
  return openEgressWith({ ...own, ...PATIENCE, ...more }, authorities);
}
