import { readCertificates } from '#src/egress/authorities.ts';
import { PUBLIC_AUTHORITIES } from '#src/egress/egress.ts';
import type { ServerSettings } from '#src/server/settings.ts';

/** Who must vouch for the limiter, as PEM text: the operator's own where it names a file of them. Throws SettingsError. */
export async function readLimiterAuthorities({ limiter }: Pick<ServerSettings, 'limiter'>): Promise<readonly string[]> {
  const file = limiter?.caFile ?? null;
  return file === null ? PUBLIC_AUTHORITIES : await readCertificates('limiter', file);
}
