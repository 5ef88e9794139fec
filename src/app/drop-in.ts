import type { OpenedGate, OpenGateParts } from './gate/open-gate.ts';
import type { OpenedMilter, OpenMilterParts } from './milter/open-milter.ts';
import type { OpenedZone, OpenZoneParts } from './zone/open-zone.ts';

/** Opens the gate for web proxies; null, and nothing of it is loaded, if no address is configured. */
export async function openGateOf(parts: OpenGateParts): Promise<OpenedGate | null> {
  const { icap_listen, icap_tls_listen } = parts.running();
  if (icap_listen.length + icap_tls_listen.length === 0) return null;
  const { openGate } = await import('./gate/open-gate.ts');
  return await openGate(parts);
}

/** Opens the milter for mail servers; null, and nothing of it is loaded, if no address is configured. */
export async function openMilterOf(parts: OpenMilterParts): Promise<OpenedMilter | null> {
  if (parts.running().milter_listen.length === 0) return null;
  const { openMilter } = await import('./milter/open-milter.ts');
  return await openMilter(parts);
}

/** Opens the zone transfer for name servers; null, and nothing of it is loaded, if no address is configured. */
export async function openZoneOf(parts: OpenZoneParts): Promise<OpenedZone | null> {
  if (parts.running().zone_listen.length === 0) return null;
  const { openZone } = await import('./zone/open-zone.ts');
  return await openZone(parts);
}
