import { audited } from '#src/admin/audit/audit-log.ts';
import type { Actor } from '#src/core/base/actor.ts';
import type { Clock } from '#src/core/base/clock.ts';
import type { CodedError } from '#src/core/base/errors/operation-error.ts';
import { type ApiKey, makeKey } from './api-key.ts';
import { readKeyFile } from './key-file.ts';

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
   * @param known the key as the client read it; refused if it is another one by now
   */
  update(by: Actor, known: ApiKey, changes: Partial<Omit<WantedKey, 'name'>>): Promise<ApiKey>;
  /** @param known the key as the client read it; by default any key of that name */
  revoke(by: Actor, name: string, known?: ApiKey): Promise<void>;
}

/** Creates the manager of the keys of an installation. */
export function createKeyManager({ dataDir, change, clock }: KeyManagerParts): KeyManager {
  const list = () => readKeyFile(dataDir);
  const findIn = (keys: readonly ApiKey[], name: string) => {
    const key = keys.find((one) => one.name === name);
    if (!key) throw new KeyError('not_found', name);
    return key;
  };
  const refuseChanged = (keys: readonly ApiKey[], known: ApiKey) => {
    if (!Bun.deepEquals(findIn(keys, known.name), known)) throw new KeyError('changed', known.name);
  };
  return {
    list,
    async create(by, { name, scopes, limit, expires_at }) {
      const made = makeKey({ name, scopes, limit, expires_at }, clock.now());
      const refuseTaken = (keys: readonly ApiKey[]) => {
        if (keys.some((other) => other.name === name)) throw new KeyError('exists', name);
      };
      refuseTaken(list());
      const what = { action: 'key.create', subject: name, detail: { scopes, limit, expires_at } };
      await audited(dataDir, by, what, () =>
        change((keys) => {
          refuseTaken(keys);
          return [...keys, made.key];
        }),
      );
      return made;
    },
    async update(by, known, changes) {
      const { name } = known;
      const changed = { ...known, ...changes };
      const what = { action: 'key.update', subject: name, detail: changes };
      await audited(dataDir, by, what, () =>
        change((keys) => {
          refuseChanged(keys, known);
          return keys.map((key) => (key.name === name ? { ...key, ...changes } : key));
        }),
      );
      return changed;
    },
    async revoke(by, name, known) {
      findIn(list(), name);
      await audited(dataDir, by, { action: 'key.revoke', subject: name }, () =>
        change((keys) => {
          if (known) refuseChanged(keys, known);
          return keys.filter((key) => key.name !== name);
        }),
      );
    },
  };
}
