import { readAuthorities, readCertificates } from '#src/egress/authorities.ts';
import { PUBLIC_AUTHORITIES } from '#src/egress/egress.ts';
import type { EgressSettings } from '#src/egress/settings.ts';
import type { ServerSettings } from '#src/server/settings.ts';

/** Who must vouch for the limiter, as PEM text: the operator's own where it names a file of them. Throws SettingsError. */
export async function readLimiterAuthorities({ limiter }: Pick<ServerSettings, 'limiter'>): Promise<readonly string[]> {
  const file = limiter?.caFile ?? null;
  return file === null ? PUBLIC_AUTHORITIES : await readCertificates('limiter', file);
}

/** Who must vouch for another service of this kind: the operator's own beside the public ones. Throws SettingsError. */
export async function readServiceAuthorities(config: Pick<EgressSettings, 'egress_ca'>): Promise<readonly string[]> {
  return [...PUBLIC_AUTHORITIES, ...(await readAuthorities(config))];
}
