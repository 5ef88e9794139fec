import { and, eq } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import type { ContentSeal } from './sealed-content.ts';
import { pgSharedDocuments } from '../schema/tables.ts';

/** A file that all nodes share, as the database holds it. */
export interface SharedDocument {
  readonly version: number;
  /** Null if the fleet has no such file. */
  readonly text: string | null;
  /** Name of the node or machine that changed it last. */
  readonly changedBy: string;
}

/** Reads a document if it is newer than a version; `known` if not, `none` if no node has published it yet. */
export async function readSharedAfter(
  db: BunSQLDatabase,
  seal: ContentSeal,
  name: string,
  known: number,
): Promise<SharedDocument | 'known' | 'none'> {
  const { version } = pgSharedDocuments;
  const [row] = await db.select({ version }).from(pgSharedDocuments).where(eq(pgSharedDocuments.name, name));
  if (!row) return 'none';
  return row.version <= known ? 'known' : ((await readShared(db, seal, name)) ?? 'none');
}

/** Reads a document; null if no node has published it yet. Throws StoreError as {@link ContentSeal.open}. */
export async function readShared(db: BunSQLDatabase, seal: ContentSeal, name: string): Promise<SharedDocument | null> {
  const [row] = await db.select().from(pgSharedDocuments).where(eq(pgSharedDocuments.name, name));
  if (!row) return null;
  const { version, content, changedBy } = row;
  return { version, text: content === null ? null : seal.open(content, name, version), changedBy };
}

/** Publishes the first version of a document, if no other node has. */
export async function publishFirst(
  db: BunSQLDatabase,
  seal: ContentSeal,
  name: string,
  { text, changedBy }: Pick<SharedDocument, 'text' | 'changedBy'>,
): Promise<void> {
  const content = text === null ? null : seal.seal(text, name, 1);
  await db.insert(pgSharedDocuments).values({ name, version: 1, content, changedBy }).onConflictDoNothing();
}

/** A change is tried again so often if others change the document in between. */
const MOST_TRIES = 50;

/**
 * Changes a document by compare-and-swap on its version: what another node changes in between is read first.
 *
 * @param change is called with the present text, once for each try; what it throws leaves the document as it is
 */
export async function changeShared(
  db: BunSQLDatabase,
  seal: ContentSeal,
  name: string,
  { change, changedBy }: { readonly change: (text: string | null) => string; readonly changedBy: string },
): Promise<SharedDocument> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const before = await readShared(db, seal, name);
    if (before === null) {
      await publishFirst(db, seal, name, { text: null, changedBy });
      continue;
    }
    const text = change(before.text);
    const version = before.version + 1;
    const changed = await db
      .update(pgSharedDocuments)
      .set({ version, content: seal.seal(text, name, version), changedAt: new Date(), changedBy })
      .where(and(eq(pgSharedDocuments.name, name), eq(pgSharedDocuments.version, before.version)))
      .returning({ version: pgSharedDocuments.version });
    if (changed.length > 0) return { version, text, changedBy };
  }
  throw new Error(`${name} changes all the time`);
}
