import { type ApiKey, isExpired, isKeyName, readKeyFile, SCOPES, type Scope } from '#src/admin/keys/api-key.ts';
import { createKeyManager, KeyError, type KeyManager } from '#src/admin/keys/manage-keys.ts';
import type { ConfigFor } from '#src/app/config.ts';
import { changeKeys } from '#src/app/parts/fleet-data.ts';
import { PROVIDED } from '#src/app/parts.ts';
import { isFleet } from '#src/checks/store/settings.ts';
import { endOfDay, systemClock } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { Io } from '#src/core/base/io.ts';
import { type Command, type Invocation, UsageError } from '../command.ts';
import type { ExitCode } from '../exit-codes.ts';
import { reportActivation, reportState } from '../report-activation.ts';
import { indentedJson, REPORT_FORMAT, wantsJson } from '../report-format.ts';

/** Scopes of a key without --scope. */
const DEFAULT_SCOPES: readonly Scope[] = ['check'];

/** `lurecheck key` */
export const keyCommand: Command<'key'> = {
  name: 'key',
  operands: 'create NAME | revoke NAME | list',
  summary: 'create, list and revoke API keys',
  options: {
    limit: {
      type: 'string',
      value: 'N',
      description: 'Checks in any 60 seconds; 0 for no limit. Default: rate_limit.',
    },
    scope: {
      type: 'string',
      multiple: true,
      value: 'SCOPE',
      words: SCOPES,
      description: 'Scope of the key; repeatable, or several joined by commas. Default: check.',
    },
    expires: { type: 'string', value: 'DAY', description: 'Last day on which it is valid, in UTC: 2027-12-31.' },
    format: REPORT_FORMAT,
  },
  examples: [
    {
      line: 'lurecheck key create mail-gateway --limit 600 --scope check,batch --expires 2027-12-31',
      purpose: 'Create a key; it is shown once.',
    },
    { line: 'lurecheck key list', purpose: 'List keys with scopes and expiry.' },
    {
      line: 'lurecheck key revoke mail-gateway',
      purpose: 'Revoke a key; a running service refuses it within two seconds.',
    },
  ],
  changes: ['create', 'revoke'],
  async run(invocation, io) {
    const [action, name, extra] = invocation.positionals;
    if (extra !== undefined)
      throw new UsageError(`a name must not contain spaces: unexpected "${extra}" after "${name}"`);
    const dataDir = invocation.config.data_dir;
    if (action === 'list') {
      if (name !== undefined) throw new UsageError(`key list takes no name: unexpected "${name}"`);
      await refresh(invocation.config).catch((error: unknown) => warnOutdated(error, io));
      const isJson = wantsJson(invocation);
      const keys = readKeyFile(dataDir);
      await io.stdout.write(isJson ? indentedJson(keys.map(keyRow)) : asText(keys));
      await reportState('the keys', dataDir, 'keys', io);
      return 0;
    }
    if (name !== undefined) await refresh(invocation.config);
    if (name === undefined) throw new UsageError('expected key create NAME, key revoke NAME or key list');
    if (action === 'create') return await create(dataDir, name, invocation, io);
    if (action === 'revoke') return await revoke(dataDir, name, invocation, io);
    throw new UsageError(`key takes create, revoke or list, not "${action}"`);
  },
};

type Config = ConfigFor<'key'>;

async function refresh(config: Config): Promise<void> {
  if (isFleet(config)) await (await PROVIDED.syncWithFleet())(config, ['keys']);
}

async function warnOutdated(error: unknown, { stderr }: Io): Promise<void> {
  if (!(error instanceof OperationError)) throw error;
  await stderr.write(`lurecheck: ${error.message}; showing the keys that this node read last\n`);
}

/** Makes a change of keys; a refusal is an error of the command line. */
async function manage<T>(config: Config, change: (keys: KeyManager) => Promise<T>): Promise<T> {
  try {
    return await change(
      createKeyManager({ dataDir: config.data_dir, change: (keys) => changeKeys(config, keys), clock: systemClock }),
    );
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    const { code, keyName: name } = error;
    throw code === 'exists'
      ? new UsageError(`key already exists: ${name}; revoke it first: lurecheck key revoke ${name}`)
      : new UsageError(`key not found: "${name}"; see lurecheck key list`);
  }
}

async function create(dataDir: string, name: string, invocation: Invocation<Config>, io: Io): Promise<ExitCode> {
  if (!isKeyName(name)) {
    throw new UsageError(
      `"${name}" is not a key name: expected at most 64 letters, digits, dots, hyphens and underscores, beginning with a letter or digit`,
    );
  }
  const wanted = { name, scopes: scopesOf(invocation), limit: limitOf(invocation), expires_at: expiryOf(invocation) };
  const { secret } = await manage(invocation.config, (keys) => keys.create(invocation.actor, wanted));
  await io.stdout.write(`${secret}\n`);
  if (!invocation.isQuiet)
    await io.stderr.write('lurecheck: store this key, it is not shown again; send it as Authorization: Bearer KEY\n');
  return await reportActivation(`the key ${name} is created`, dataDir, 'keys', io);
}

async function revoke(dataDir: string, name: string, { actor, config }: Invocation<Config>, io: Io): Promise<ExitCode> {
  await manage(config, (keys) => keys.revoke(actor, name));
  return await reportActivation(`${name} is revoked`, dataDir, 'keys', io);
}

function scopesOf(invocation: Invocation): Scope[] {
  const words = invocation.texts('scope').flatMap((text) => text.split(','));
  const scopes = (words.length === 0 ? DEFAULT_SCOPES : words).map((word) => {
    const scope = SCOPES.find((one) => one === word.trim());
    if (!scope) throw new UsageError(`"${word}" is not a scope; expected ${SCOPES.join(', ')}`);
    return scope;
  });
  return [...new Set(scopes)];
}

function limitOf(invocation: Invocation): number | null {
  const text = invocation.text('limit');
  if (text === undefined) return null;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--limit is "${text}", but must be a whole number from 0`);
  return Number(text);
}

function expiryOf(invocation: Invocation): string | null {
  const day = invocation.text('expires');
  if (day === undefined) return null;
  const end = endOfDay(day);
  if (end === null) throw new UsageError(`--expires is "${day}", but must be a day, such as 2027-12-31`);
  if (isExpired({ expires_at: end }, systemClock.now()))
    throw new UsageError(`--expires is ${day}, which is in the past`);
  return end;
}

function asText(keys: readonly ApiKey[]): string {
  const lines = keys.map((key) => {
    const limit = key.limit === null ? 'default limit' : key.limit === 0 ? 'no limit' : `${key.limit} per minute`;
    const until = key.expires_at === null ? 'no expiry' : `before ${key.expires_at}`;
    const state = isExpired(key, systemClock.now()) ? '\texpired' : '';
    return `${key.name}\t${key.scopes.join(',')}\t${limit}\t${until}${state}\n`;
  });
  return lines.join('') || 'no keys\n';
}

function keyRow({ secret_sha256: _, ...key }: ApiKey): object {
  return { ...key, expired: isExpired(key, systemClock.now()) };
}
