import { readAuthorities } from './authorities.ts';
import { PUBLIC_AUTHORITIES } from './egress.ts';
import type { EgressSettings } from './settings.ts';

/**
 * Reads the trusted authorities of another service of this kind: the operator's and the public ones. Throws
 * SettingsError.
 */
export async function readServiceAuthorities(config: Pick<EgressSettings, 'egress_ca'>): Promise<readonly string[]> {
  return [...PUBLIC_AUTHORITIES, ...(await readAuthorities(config))];
}
