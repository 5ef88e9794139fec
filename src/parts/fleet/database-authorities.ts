import type { DatabaseUrl } from '#src/checks/store/database-url.ts';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import { withAllProblems } from '#src/core/base/settings/setting-source.ts';
import { readCertificates } from '#src/network/egress/authorities.ts';

type DatabaseSettings = Pick<StoreSettings, 'log_database' | 'log_database_private'>;

/** Throws SettingsError if an authority file of a database is unusable. */
export async function checkDatabaseAuthorities({
  log_database,
  log_database_private,
}: DatabaseSettings): Promise<void> {
  await withAllProblems([
    ...log_database.map((url) => checkAuthorities('log_database', url)),
    ...log_database_private.map((url) => checkAuthorities('log_database_private', url)),
  ]);
}

/** Throws SettingsError if the authority file in a URL is unusable; `written` names the setting of the URL. */
export async function checkAuthorities(written: string, { tls, authorityFile }: DatabaseUrl): Promise<void> {
  if (tls === 'verified' && authorityFile !== null) await readCertificates(`sslrootcert of ${written}`, authorityFile);
}

/** Returns a URL with the certificates in the file that it names. Throws SettingsError. */
export async function readAuthoritiesOf(url: DatabaseUrl): Promise<DatabaseUrl> {
  if (url.tls !== 'verified' || url.authorityFile === null) return url;
  return { ...url, authorities: await readCertificates('sslrootcert', url.authorityFile) };
}
