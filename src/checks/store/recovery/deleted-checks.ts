import { requestIdMs } from '#src/core/base/request-id.ts';
import { hostOfRow, indexedSuffixes } from '../domains/host-suffixes.ts';
import type { LogFile } from '../file/log-file.ts';
import { deletions } from '../file/schema.ts';
import type { LoggedCheck } from '../write/stored-check.ts';

/** Tests a check of another file, without a URL that of a message: true if an operator's deletion removed it from this log, or is about to. */
export type DeletedTest = (
  check: Pick<LoggedCheck, 'requestId'> & Partial<Pick<LoggedCheck, 'host' | 'url'>>,
) => boolean;

/**
 * Returns the tests by the deletions on record, which name an id or a domain by its keyed hash alone. Call the result in each
 * transaction, so that no deletion is missed.
 */
export function deletedChecks({ db }: LogFile, hashOf: (wanted: string) => Buffer): () => DeletedTest {
  let seen = -1;
  let latestMs = 0;
  let beforeMs = Number.NEGATIVE_INFINITY;
  const hashes = { id: new Map<string, number>(), domain: new Map<string, number>() };

  const isHit = (by: keyof typeof hashes, wanted: string, atMs: number): boolean =>
    hashes[by].size > 0 && atMs <= (hashes[by].get(hashOf(wanted).toString('hex')) ?? Number.NEGATIVE_INFINITY);

  return () => {
    const rows = db.select().from(deletions).all();
    for (const { by, wanted, wantedHash, askedAtMs } of rows.length === seen ? [] : rows) {
      latestMs = Math.max(latestMs, askedAtMs);
      if (by === 'before') beforeMs = Math.max(beforeMs, Date.parse(wanted ?? ''));
      else hashes[by].set(wantedHash.toString('hex'), askedAtMs);
    }
    seen = rows.length;
    return (check) => {
      const atMs = requestIdMs(check.requestId);
      if (atMs > latestMs) return false;
      if (atMs < beforeMs || isHit('id', check.requestId, atMs)) return true;
      const { host = null, url } = check;
      if (url === undefined) return false;
      return (
        hashes.domain.size > 0 && indexedSuffixes(hostOfRow({ host, url })).some((name) => isHit('domain', name, atMs))
      );
    };
  };
}
