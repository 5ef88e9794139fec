import { withAllProblems } from '#src/core/base/settings/settings-error.ts';
import { readCertificates } from '#src/network/egress/authorities.ts';
import { PUBLIC_AUTHORITIES } from '#src/network/egress/egress.ts';
import type { LimiterServer } from '#src/parts/fleet/limiter/redis-link.ts';
import type { ServerSettings } from '#src/service/server/settings.ts';

/**
 * Reads the trusted authorities of each limiter server: the operator's own, if it names a file of them. Throws
 * SettingsError.
 */
export async function readLimiterServers({
  limiter,
}: Pick<ServerSettings, 'limiter'>): Promise<readonly LimiterServer[]> {
  return await withAllProblems(
    limiter.map(async (address) => ({
      address,
      authorities: address.caFile === null ? PUBLIC_AUTHORITIES : await readCertificates('limiter', address.caFile),
    })),
  );
}
