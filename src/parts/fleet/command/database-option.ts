import { readFileSync } from 'node:fs';
import { type DatabaseUrl, readDatabaseUrl } from '#src/checks/store/database-url.ts';
import { type Invocation, type Option, UsageError } from '#src/interfaces/cli/command.ts';
import { checkAuthorities } from '../database-authorities.ts';

/** `--database`, of the commands that are about one. */
export const DATABASE_OPTION: Option = {
  type: 'string',
  value: 'URL',
  description: 'The database: postgres://name:password@db.example/lurecheck, or file:/path of a file with that URL.',
};

const SECRET_FILE = 'file:';

/**
 * Returns the named database. Its URL may contain a password, so messages do not quote it.
 *
 * @throws UsageError; OperationError if the file of its authorities is unusable
 */
export async function databaseOf(invocation: Pick<Invocation, 'text'>): Promise<DatabaseUrl> {
  const written = invocation.text('database');
  if (written === undefined) throw new UsageError('--database URL is missing');
  const isFile = written.startsWith(SECRET_FILE);
  const url = readDatabaseUrl(isFile ? readFileSync(written.slice(SECRET_FILE.length), 'utf8').trim() : written);
  if (typeof url === 'string') throw new UsageError(`--database requires the URL of a PostgreSQL database, but ${url}`);
  await checkAuthorities('--database', url);
  return url;
}
