import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import type { DocumentVersion } from '#src/checks/store/database-access.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { isText, listWith, objectWith, textLike } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { pgSharedDocuments } from './schema/tables.ts';

const [NONCE_BYTES, TAG_BYTES] = [12, 16];

/** Content was sealed with another client key, or is not what was sealed. */
export class SealError extends StoreError {
  constructor(name: string, cause: unknown) {
    const message = `The ${name} in the database cannot be decrypted: client_key_file must hold the same key on all nodes.`;
    super('wrong_database', message, { cause });
  }
}

/** Encrypts shared content, so that the database, its backups and its operator cannot read it. */
export interface ContentSeal {
  /** Returns a nonce, the tag and the ciphertext of AES-256-GCM over the compressed bytes. */
  seal(bytes: Uint8Array, name: string, version: number): Buffer;
  /** Throws SealError if the content was sealed by another key, or under another name or version. */
  open(content: Uint8Array, name: string, version: number): Buffer;
  /** Returns a keyed hash in hexadecimal: equal for equal texts, and meaningless without the key. */
  printOf(text: string): string;
}

/** Creates a seal with keys derived from the client key of the fleet. */
export function createContentSeal(clientKey: Buffer): ContentSeal {
  const derived = (info: string) => Buffer.from(hkdfSync('sha256', clientKey, '', info, 32));
  const [key, printKey] = [derived('lurecheck shared documents'), derived('lurecheck shared prints')];
  const bound = (name: string, version: number) => Buffer.from(`${name} ${version}`);
  return {
    seal(bytes, name, version) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      cipher.setAAD(bound(name, version));
      const body = Buffer.concat([cipher.update(Bun.zstdCompressSync(bytes)), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(content, name, version) {
      const bytes = Buffer.from(content);
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
        decipher.setAAD(bound(name, version));
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const body = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
        return Buffer.from(Bun.zstdDecompressSync(body));
      } catch (cause) {
        throw new SealError(name, cause);
      }
    },
    printOf: (text) => createHmac('sha256', printKey).update(text).digest('hex'),
  };
}

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
