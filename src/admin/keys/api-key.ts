import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { isoTime } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { readIfExists, replaceLocked } from '#src/core/base/files/locked-file.ts';
import { unusableFile } from '#src/core/base/files/named-file.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';

/** Scopes of keys. */
export const SCOPES = [
  'check',
  'batch',
  'history',
  'stats',
  'metrics',
  'feedback',
  'feed',
  'lists',
  'admin',
  'history.private',
] as const;

export type Scope = (typeof SCOPES)[number];

/** Names of keys, as the source of a regular expression. */
const NAME = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';

/** A stored key, without its secret. */
const ApiKeySchema = Type.Object(
  {
    name: Type.String({ pattern: NAME }),
    /** SHA-256 of the secret, lower-case hexadecimal. A slow hash is needless: the secret has 256 random bits. */
    secret_sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    /** Scopes, also those of a later version, which open nothing here and stay when this version changes the file. */
    scopes: Type.Array(Type.String({ pattern: '^[a-z][a-z._-]{0,63}$' }), { minItems: 1 }),
    /** Checks in any 60 seconds, 0 for no limit; null for the default limit. */
    limit: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
    created_at: Type.String(),
    /** Time of expiry; null for never. */
    expires_at: Type.Union([Type.String(), Type.Null()]),
  },
  { additionalProperties: false },
);

export type ApiKey = Static<typeof ApiKeySchema>;

const KeyFileSchema = Type.Object(
  { version: Type.Literal(1), keys: Type.Array(ApiKeySchema) },
  { additionalProperties: false },
);

/** Prefix of every secret, by which scanners of source code recognise it. */
const PREFIX = 'lck_';

const SECRET_BYTES = 32;

/** Returns true if a holder of scopes has one; `admin` grants all. */
export function grants({ scopes }: { readonly scopes: readonly string[] }, scope: Scope): boolean {
  return scopes.includes(scope) || scopes.includes('admin');
}

/** Creates a key. The secret exists only in the returned value. */
export function makeKey(wanted: Pick<ApiKey, 'name' | 'scopes' | 'limit' | 'expires_at'>, nowMs: number) {
  const secret = `${PREFIX}${crypto.getRandomValues(Buffer.alloc(SECRET_BYTES)).toString('base64url')}`;
  const key: ApiKey = { ...wanted, secret_sha256: digestOf(secret).toString('hex'), created_at: isoTime(nowMs) };
  return { secret, key };
}

/** Returns true for a valid name of a key. */
export function isKeyName(name: string): boolean {
  return new RegExp(NAME).test(name);
}

/** Returns the key of a secret, expired or not; null if there is none. Takes constant time. */
export function keyOf(secret: string, keys: readonly ApiKey[]): ApiKey | null {
  const digest = digestOf(secret);
  let found: ApiKey | null = null;
  for (const key of keys) if (crypto.timingSafeEqual(Buffer.from(key.secret_sha256, 'hex'), digest)) found = key;
  return found;
}

/** Returns true if a key has expired. */
export function isExpired({ expires_at: expiresAt }: Pick<ApiKey, 'expires_at'>, nowMs: number): boolean {
  return expiresAt !== null && nowMs >= Date.parse(expiresAt);
}

/** Parses what {@link writeKeys} wrote; returns a string that says what is wrong. */
export function readKeys(json: unknown): readonly ApiKey[] | string {
  const shaped = readShape(KeyFileSchema, json);
  if ('problem' in shaped) return shaped.problem;
  const { keys } = shaped.value;
  const twice = keys.find(({ name }, index) => keys.findIndex((other) => other.name === name) < index);
  if (twice) return `it has two keys named ${twice.name}`;
  const undated = keys.find(({ expires_at: at }) => at !== null && Number.isNaN(Date.parse(at)));
  return undated ? `the key ${undated.name} expires at no time` : keys;
}

/** The text of a file of keys. Throws Error for keys that {@link readKeys} would refuse: they would lock out all others. */
export function writeKeys(keys: readonly ApiKey[]): string {
  const file = { version: 1, keys };
  const read = readKeys(file);
  if (typeof read === 'string') throw new Error(`these keys could not be read again: ${read}`);
  return `${JSON.stringify(file, null, 2)}\n`;
}

function digestOf(secret: string): Buffer {
  return new Bun.CryptoHasher('sha256').update(secret).digest();
}

/** Returns the path of the file of keys. */
export function keyFileIn(dataDir: string): string {
  return join(dataDir, 'keys.json');
}

/** Returns the keys; none without a file. Throws OperationError if it cannot be read or is invalid. */
export function readKeyFile(dataDir: string): readonly ApiKey[] {
  const path = keyFileIn(dataDir);
  return readKeyText(readIfExists(path, 'keys'), path);
}

/** The keys in a text; none for null. Throws OperationError that names `path` for a text that holds something else. */
export function readKeyText(text: string | null, path: string): readonly ApiKey[] {
  if (text === null) return [];
  const keys = readKeys(parseJson(text));
  if (typeof keys === 'string')
    throw new OperationError('file_damaged', [unusableFile(path, 'keys', `is damaged: ${keys}`)]);
  return keys;
}

/** Changes the keys atomically. Throws OperationError as {@link readKeyFile}, and if another command is changing them. */
export function changeKeyFile(dataDir: string, change: (keys: readonly ApiKey[]) => readonly ApiKey[]): void {
  replaceLocked(keyFileIn(dataDir), 'keys', () => writeKeys(change(readKeyFile(dataDir))));
}
