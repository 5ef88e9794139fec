import { hostname } from 'node:os';
import { brandsFileIn } from '#src/admin/active/configured-brands-file.ts';
import { readPackState } from '#src/admin/active/pack-state.ts';
import { type ApiKey, readKeyFile, readKeyText, writeKeys } from '#src/admin/keys/api-key.ts';
import type { ConfigFor } from '#src/app/config.ts';
import type { Engine } from '#src/app/engine.ts';
import type { DatabaseAccess } from '#src/checks/store/database-access.ts';
import type { DatabaseLog } from '#src/checks/store/scan-log.ts';
import { type FleetSettings, isFleet, type SharedName } from '#src/checks/store/settings.ts';
import { readClientKey } from '#src/checks/store/write/client-hash.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { FollowedFile } from '#src/core/base/files/followed-file.ts';
import { readIfExists } from '#src/core/base/files/locked-file.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { SettingsError } from '#src/core/base/settings/setting-source.ts';
import { listsVersion } from '#src/network/lists/lists-version.ts';
import type { FollowedSets, FollowingTools } from '#src/parts/fleet/shared/follow-shared.ts';
import type { FleetPlace, LastSync } from '#src/parts/fleet/shared/last-sync.ts';
import type { NodePrints } from '#src/parts/postgres/nodes/nodes.ts';
import { checkDatabaseAuthorities } from './database-authorities.ts';
import { followFeedback } from './feedback.ts';

/** Hexadecimal digits of a print: enough to distinguish the nodes of a fleet. */
const SHOWN = 12;

/** Settings that may differ between the nodes of a fleet, or that hold passwords: addresses, files, databases. */
const OWN_SETTINGS: ReadonlySet<string> = new Set<keyof ConfigFor<'serve'>>([
  'listen',
  'admin_listen',
  'reuse_port',
  'tls_certificate',
  'tls_key',
  'host',
  'base_path',
  'trusted_proxy',
  'data_dir',
  'pack_dir',
  'node_name',
  'client_key_file',
  'block_list',
  'allow_list',
  'log_database',
  'log_database_private',
  'log_spool',
  'log_spool_rows',
  'limiter',
  'syslog',
  'log_level',
  'egress_ca',
  'dns_server',
  'egress_proxy',
  'stop_delay_seconds',
]);

/**
 * Computes fingerprints of data that should be equal on all nodes. A fingerprint does not reveal its input.
 *
 * @param clientKey the key in `client_key_file`; null if the node has its own
 */
function nodePrints(config: ConfigFor<'serve'>, clientKey: Buffer | null): NodePrints {
  const { data_dir: dataDir } = config;
  const ofFile = (make: () => string | null) => {
    const text = readable(make);
    return text === null ? '' : printOf(text);
  };
  return {
    client_key: clientKey === null ? '' : printOf(clientKey),
    keys: ofFile(() => textOf(readKeyFile(dataDir))),
    brands: ofFile(() => readIfExists(brandsFileIn(dataDir), 'brands')),
    packs: ofFile(() => {
      const { publishers, active } = readPackState(dataDir);
      const trusted = publishers.filter(({ revoked }) => revoked === null).map(({ fingerprint }) => fingerprint);
      return textOf(
        [...trusted, ...active.map(({ name, version, print }) => `${name} ${version} ${print}`)].toSorted(),
      );
    }),
    settings: printOf(settingsText(config)),
  };
}

function printOf(what: string | Buffer): string {
  return new Bun.CryptoHasher('sha256').update('lurecheck print ').update(what).digest('hex').slice(0, SHOWN);
}

/** Null for an empty list: who has none has no print. */
function textOf(list: readonly unknown[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list);
}

/** A file that cannot be read differs from all others. */
function readable(make: () => string | null): string | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof OperationError) return `unreadable: ${error.message}`;
    throw error;
  }
}

function settingsText(config: ConfigFor<'serve'>): string {
  const shared = Object.entries(config).filter(([name]) => !OWN_SETTINGS.has(name));
  return JSON.stringify(shared.toSorted(), (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

/** Changes the keys of the fleet; once, or again if they change in between. Throws OperationError if they cannot be changed. */
export async function changeSharedKeys(
  config: FleetSettings,
  change: (keys: readonly ApiKey[]) => readonly ApiKey[],
): Promise<void> {
  const { changeShared, onFleet } = await import('#src/parts/fleet/shared/sync-shared.ts');
  const { keys } = await sharedSets();
  const changed = (text: string | null) => writeKeys(change(readKeyText(text, 'the database')));
  await onFleet(await placeOf(config), 'keys', (desk) => changeShared(keys, desk, changed));
}

/** The state that changes start from, by {@link SharedName}. */
type Bases = Readonly<Record<string, LastSync>>;

/** Synchronises shared data between a data directory and the database. Returns their common state. */
export async function syncWithFleet(config: FleetSettings, names: readonly SharedName[]): Promise<Bases> {
  const { readLastSync } = await import('#src/parts/fleet/shared/last-sync.ts');
  const { onFleet, syncShared } = await import('#src/parts/fleet/shared/sync-shared.ts');
  const [place, sets] = [await placeOf(config), await sharedSets()];
  for (const name of names) await onFleet(place, name, (desk) => syncShared(sets[name], desk));
  return readLastSync(config.data_dir);
}

/**
 * Publishes what a command has just changed in a data directory.
 *
 * @param bases what {@link syncWithFleet} returned before the change
 *
 * @throws OperationError if the database cannot be used, or another node changed the same meanwhile
 */
export async function publishToFleet(config: FleetSettings, names: readonly SharedName[], bases: Bases): Promise<void> {
  const { onFleet, syncShared } = await import('#src/parts/fleet/shared/sync-shared.ts');
  const [place, sets] = [await placeOf(config), await sharedSets()];
  for (const name of names) {
    const base = bases[name] ?? null;
    const { aside } = await onFleet(place, name, (desk) => syncShared(sets[name], desk, base));
    if (aside === null) continue;
    throw new OperationError('changed_meanwhile', [
      `another node changed the ${name} meanwhile; your change is in ${aside}: try again`,
    ]);
  }
}

/** Follows what the nodes share, see `followShared`. */
export async function followFleet(
  config: FleetSettings,
  tools: FollowingTools & { readonly databaseAccess: DatabaseAccess },
): Promise<FollowedSets> {
  const { followShared } = await import('#src/parts/fleet/shared/follow-shared.ts');
  return await followShared(Object.values(await sharedSets()), await placeOf(config, tools.databaseAccess), tools);
}

/** Loaded on the nodes of a fleet alone. */
const sharedSets = async () => (await import('./shared-sets.ts')).SHARED_SETS;

async function placeOf(config: FleetSettings, databaseAccess: DatabaseAccess = {}): Promise<FleetPlace> {
  const clientKey = await readClientKey(config);
  if (clientKey === null) throw new SettingsError(['client_key_file is missing']);
  await checkDatabaseAuthorities(config);
  const urls = { public: config.log_database, private: config.log_database_private };
  return { dataDir: config.data_dir, urls, clientKey, changedBy: config.node_name ?? hostname(), ...databaseAccess };
}

/** Dependencies of a node of a fleet. */
interface JoiningParts {
  /** The settings as they are now. */
  readonly running: () => ConfigFor<'serve'>;
  readonly engine: Pick<Engine, 'modelVersion' | 'lists'>;
  /** Files of the data directory that the node follows. */
  readonly dataFiles: {
    followed(): readonly { readonly name: string; readonly followed: Pick<FollowedFile, 'checkNow'> }[];
  };
  readonly databaseAccess: DatabaseAccess;
  readonly logger: Logger;
}

/** Reports to other nodes that this one is alive and what should be the same on all of them, and follows what they share. */
export async function joinFleet(
  databases: DatabaseLog,
  { running, engine, dataFiles, logger, databaseAccess }: JoiningParts,
  onRescored: () => Promise<void>,
): Promise<AsyncDisposable & { readonly followed: FollowedSets | null }> {
  const clientKey = await readClientKey(running());
  const fleet = new AsyncDisposableStack();
  const reload = async (name: string) => {
    if (name === 'rescored') await onRescored();
    for (const file of dataFiles.followed()) if (file.name === name) await file.followed.checkNow();
  };
  const tools = { databases, clock: systemClock, logger, databaseAccess, reload };
  const followed = isFleet(running()) ? fleet.use(await followFleet(running(), tools)) : null;
  fleet.use(followFeedback(running(), { databaseAccess, logger }));
  const scoring = () => ({ modelVersion: engine.modelVersion(), listsVersion: listsVersion(engine.lists) });
  fleet.use(databases.announce(() => ({ ...scoring(), prints: nodePrints(running(), clientKey) })));
  return { followed, [Symbol.asyncDispose]: () => fleet.disposeAsync() };
}
