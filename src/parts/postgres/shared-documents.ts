import { and, eq } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import type { DocumentVersion } from '#src/checks/store/database-access.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { isText, listWith, objectWith, textLike } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { pgSharedDocuments } from './schema/tables.ts';
import type { ContentSeal } from './sealed-content.ts';

/** An immutable file that a document names. */
export interface NamedFile {
  /** Its path in the data directory, with slashes. */
  readonly path: string;
  /** In hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Content that the nodes share under one name: the text of one file, and the immutable files that it names. */
export interface SharedContent {
  readonly text: string;
  readonly files: readonly NamedFile[];
}

/** A document in the database. */
export interface SharedDocument extends SharedContent {
  readonly version: number;
  /** Name of the node or host that changed it last. */
  readonly changedBy: string;
}

const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isContent = objectWith<SharedContent>({
  text: isText,
  files: listWith(objectWith<NamedFile>({ path: isText, sha256: textLike(/^[\da-f]{64}$/), bytes: isSize })),
});

/** Reads the versions of all documents, by their names. */
export async function readVersions(db: BunSQLDatabase): Promise<ReadonlyMap<string, DocumentVersion>> {
  const { name, version, print } = pgSharedDocuments;
  const rows = await db.select({ name, version, print }).from(pgSharedDocuments);
  return new Map(rows.map((row) => [row.name, row]));
}

/** Reads a document; null if no node has published it yet. Throws StoreError as {@link ContentSeal.open}. */
export async function readShared(db: BunSQLDatabase, seal: ContentSeal, name: string): Promise<SharedDocument | null> {
  const [row] = await db.select().from(pgSharedDocuments).where(eq(pgSharedDocuments.name, name));
  if (!row) return null;
  const { version, content, changedBy } = row;
  const json = content === null ? null : parseJson(seal.open(content, name, version).toString());
  if (!isContent(json)) throw new StoreError('wrong_database', `The ${name} in the database are of another version.`);
  return { ...json, version, changedBy };
}

/** A new version of a document, and the version that it replaces; null if there must be none yet. */
export type NextDocument = SharedDocument & { readonly over: number | null };

/**
 * Publishes a version by compare-and-swap; false if another version than `over` is stored. Its files must be stored
 * before.
 */
export async function publishShared(
  db: BunSQLDatabase,
  seal: ContentSeal,
  name: string,
  { over, version, text, files, changedBy }: NextDocument,
): Promise<boolean> {
  const values = {
    version,
    content: seal.seal(Buffer.from(JSON.stringify({ text, files })), name, version),
    print: seal.printOf(text),
    files: files.map(({ sha256 }) => seal.printOf(sha256)).join(' '),
    changedAt: new Date(),
    changedBy,
  };
  const { version: present } = pgSharedDocuments;
  if (over === null) {
    const added = db
      .insert(pgSharedDocuments)
      .values({ name, ...values })
      .onConflictDoNothing();
    return (await added.returning({ present })).length > 0;
  }
  const isOver = and(eq(pgSharedDocuments.name, name), eq(present, over));
  return (await db.update(pgSharedDocuments).set(values).where(isOver).returning({ present })).length > 0;
}
