import { Type } from '@sinclair/typebox';
import { type ActPlace, type OperatorAct, perform } from '#src/admin/audit/act.ts';
import { stringEnum } from '#src/checks/record/bounded-schema.ts';
import type { Actor } from '#src/core/base/actor.ts';
import type { Clock } from '#src/core/base/clock.ts';
import type { CodedError } from '#src/core/base/errors/operation-error.ts';
import { isText } from '#src/core/base/guard.ts';
import { member, nullable, timeOrNull } from '#src/core/base/text/json-shape.ts';
import { type ApiKey, isKeyName, makeKey, readKeyFile, SCOPES, type Scope } from './api-key.ts';

const MAX_LIMIT = 999_999_999;

const SETTINGS_OF_KEY = {
  scopes: member(
    Type.Array(stringEnum<Scope>(SCOPES), { minItems: 1, description: 'Scopes of the key; `admin` grants all' }),
    `must be a list of ${SCOPES.join(', ')}`,
  ),
  limit: Type.Optional(
    member(
      nullable(
        Type.Integer({ minimum: 0, maximum: MAX_LIMIT }),
        'Checks in any 60 seconds, 0 for no limit; null for the default limit',
      ),
      `must be a whole number from 0 to ${MAX_LIMIT}, or null`,
    ),
  ),
  expires_at: Type.Optional(timeOrNull('When the key expires; null if it does not')),
};

export const NewKeySchema = Type.Object(
  {
    name: member(
      Type.String({ description: 'Name of the key' }),
      'must be at most 64 letters, digits, dots, hyphens and underscores, beginning with a letter or digit',
      (value) => isText(value) && isKeyName(value),
    ),
    ...SETTINGS_OF_KEY,
  },
  { $id: 'NewKey', additionalProperties: false, description: 'A key to create' },
);

export const KeyChangeSchema = Type.Object(
  { ...SETTINGS_OF_KEY, scopes: Type.Optional(SETTINGS_OF_KEY.scopes) },
  { $id: 'KeyChange', additionalProperties: false, description: 'Members of a key to change' },
);

/** Properties of a key that the operator chooses. */
export type WantedKey = Pick<ApiKey, 'name' | 'scopes' | 'limit' | 'expires_at'>;

/** A change of keys that cannot be made. */
export class KeyError extends Error implements CodedError {
  override readonly name = 'KeyError';
  readonly code: 'exists' | 'not_found' | 'changed';
  readonly errorCode: 'key_exists' | 'key_not_found' | 'key_changed';
  readonly keyName: string;
  readonly clientText: string;

  constructor(code: KeyError['code'], keyName: string) {
    super(
      `${{ exists: 'key already exists', not_found: 'key not found', changed: 'key changed meanwhile' }[code]}: ${keyName}`,
    );
    this.code = code;
    this.errorCode = `key_${code}`;
    this.keyName = keyName;
    this.clientText = {
      exists: `There is a key named ${keyName} already. Revoke it first, or choose another name.`,
      not_found: 'There is no key of this name.',
      changed: 'Somebody else changed this meanwhile. Read it again, then repeat the change.',
    }[code];
  }
}

/** Dependencies of {@link createKeyManager}. */
export interface KeyManagerParts {
  readonly dataDir: string;
  /** Changes the keys atomically: in the data directory, or in the database of a fleet. */
  readonly change: (change: (keys: readonly ApiKey[]) => readonly ApiKey[]) => void | Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
}

/** The keys of an installation. Each change is in the audit log before it is made. Methods throw KeyError, OperationError. */
export interface KeyManager {
  list(): readonly ApiKey[];
  /** Creates a key. The secret exists only in the returned value. */
  create(by: Actor, wanted: WantedKey): Promise<{ readonly secret: string; readonly key: ApiKey }>;
  /**
   * Changes scopes, limit and expiry of a key; the secret stays.
   *
   * @param expected the key as the client read it; refused if it is another one by now
   */
  update(by: Actor, expected: ApiKey, changes: Partial<Omit<WantedKey, 'name'>>): Promise<ApiKey>;
  /** @param expected the key as the client read it; by default any key of that name */
  revoke(by: Actor, name: string, expected?: ApiKey): Promise<void>;
}

/** An installation whose keys are changed, in the data directory or in the database of a fleet. */
interface KeyPlace extends ActPlace, Pick<KeyManagerParts, 'clock'> {
  readonly changeKeys: KeyManagerParts['change'];
}

const OF_KEYS = { scope: 'admin', files: [] } as const;

/** Creates a key. */
export const CREATE_KEY = {
  name: 'key.create',
  ...OF_KEYS,
  input: NewKeySchema,
  async prepare({ name, scopes, limit, expires_at }, { dataDir, clock }) {
    refuseTaken(readKeyFile(dataDir), name);
    return makeKey({ name, scopes, limit, expires_at }, clock.now());
  },
  audit: ({ key: { name, scopes, limit, expires_at } }) => ({ subject: name, detail: { scopes, limit, expires_at } }),
  async commit(made, { changeKeys }) {
    await changeKeys((keys) => {
      refuseTaken(keys, made.key.name);
      return [...keys, made.key];
    });
    return made;
  },
} as const satisfies OperatorAct<WantedKey, ReturnType<typeof makeKey>, ReturnType<typeof makeKey>, KeyPlace>;

/** A key as its client read it, and what becomes of it. */
interface KeyUpdate {
  readonly expected: ApiKey;
  readonly changes: Partial<Omit<WantedKey, 'name'>>;
}

/** Changes scopes, limit or expiry of a key. */
export const UPDATE_KEY = {
  name: 'key.update',
  ...OF_KEYS,
  input: KeyChangeSchema,
  prepare: async (update) => update,
  audit: ({ expected, changes }) => ({ subject: expected.name, detail: changes }),
  async commit({ expected, changes }, { changeKeys }) {
    await changeKeys((keys) => {
      refuseChanged(keys, expected);
      return keys.map((key) => (key.name === expected.name ? { ...key, ...changes } : key));
    });
    return { ...expected, ...changes };
  },
} as const satisfies OperatorAct<KeyUpdate, KeyUpdate, ApiKey, KeyPlace>;

/** A key to revoke; `expected` as its client knows it, null for whatever key has the name. */
interface Revocation {
  readonly name: string;
  readonly expected: ApiKey | null;
}

/** Revokes a key. */
export const REVOKE_KEY = {
  name: 'key.revoke',
  ...OF_KEYS,
  input: null,
  async prepare(revocation, { dataDir }) {
    keyIn(readKeyFile(dataDir), revocation.name);
    return revocation;
  },
  audit: ({ name }) => ({ subject: name }),
  commit: async ({ name, expected }, { changeKeys }) =>
    await changeKeys((keys) => {
      if (expected) refuseChanged(keys, expected);
      return keys.filter((key) => key.name !== name);
    }),
} as const satisfies OperatorAct<Revocation, Revocation, void, KeyPlace>;

/** Creates the manager of the keys of an installation. */
export function createKeyManager(parts: KeyManagerParts): KeyManager {
  // The keys of a fleet are changed in its database, not published afterwards.
  const place: KeyPlace = { ...parts, changeKeys: parts.change, change: (_, work) => work() };
  return {
    list: () => readKeyFile(parts.dataDir),
    create: (by, wanted) => perform(CREATE_KEY, place, by, wanted),
    update: (by, expected, changes) => perform(UPDATE_KEY, place, by, { expected, changes }),
    revoke: (by, name, expected) => perform(REVOKE_KEY, place, by, { name, expected: expected ?? null }),
  };
}

function keyIn(keys: readonly ApiKey[], name: string): ApiKey {
  const key = keys.find((one) => one.name === name);
  if (!key) throw new KeyError('not_found', name);
  return key;
}

function refuseTaken(keys: readonly ApiKey[], name: string): void {
  if (keys.some((other) => other.name === name)) throw new KeyError('exists', name);
}

function refuseChanged(keys: readonly ApiKey[], expected: ApiKey): void {
  if (!Bun.deepEquals(keyIn(keys, expected.name), expected)) throw new KeyError('changed', expected.name);
}
