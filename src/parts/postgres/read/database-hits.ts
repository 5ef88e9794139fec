import { sql } from 'drizzle-orm';
import type { EntryTally } from '#src/checks/store/read/list-hits.ts';
import { requestIdLowerBound } from '#src/core/base/request-id.ts';
import type { Session } from '../session/session.ts';

/** Entries per query. */
const ENTRIES_PER_QUERY = 1000;

/** Counts the checks of a database since a moment by the entry that decided, a page of entries at a time. */
export async function* databaseHits(session: Session, sinceMs: number): AsyncGenerator<readonly EntryTally[]> {
  const since = requestIdLowerBound(sinceMs);
  let after = { list: '', entry: '' };
  for (;;) {
    const found = await session.run(({ db }) =>
      db
        .select({
          list: sql<string>`list`,
          entry: sql<string>`entry`,
          hits: sql<string>`hits`.mapWith(Number),
        })
        .from(sql`list_hits(${since}::uuid, ${after.list}::text, ${after.entry}::text, ${ENTRIES_PER_QUERY}::int4)`),
    );
    yield found;
    const last = found.at(-1);
    if (last === undefined || found.length < ENTRIES_PER_QUERY) return;
    after = last;
  }
}
