import { randomUUID } from 'node:crypto';
import { createWriteStream, renameSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { versionOf } from '#src/admin/active/installed-models.ts';
import { openShipped } from '#src/admin/active/models.ts';
import {
  changePackState,
  type InstalledPack,
  installedPackPath,
  type PackState,
  type Publisher,
  packFolder,
  readPackState,
  withPack,
  withPublisher,
} from '#src/admin/active/pack-state.ts';
import { type Clock, HOUR_MS } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { VERSION } from '#src/core/base/version.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { assessSettings, type VerdictSettings } from '#src/engine/assess/settings.ts';
import type { PreparedLists } from '#src/parts/lists/change-lists.ts';
import { openActivePacks, type PackWithContents } from '#src/parts/packs/packs/active-packs.ts';
import { admit, trustedSigner } from '#src/parts/packs/packs/admit.ts';
import { type OpenPack, openPack, readSeal } from '#src/parts/packs/packs/open-pack.ts';
import { modelVersionIn, type PackContents, readContents } from '#src/parts/packs/packs/pack-contents.ts';
import { PackError } from '#src/parts/packs/packs/pack-error.ts';
import { packTime, recordSeenTimes } from '#src/parts/packs/packs/pack-time.ts';
import { applyPackLists, preparePackLists } from './pack-lists.ts';

/** Options of an installation. */
export interface InstallOrder {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly knowledge: Knowledge;
  /** The operator's settings of verdicts, with which a pack must be compatible. */
  readonly settings: VerdictSettings;
  /** True to accept an older version than the active one. */
  readonly mayBeOlder: boolean;
}

/** A pack that may be installed: proven, read whole, and copied beside its place. Disposing of it takes the copy away. */
export interface ReadyPack extends PackWithContents, AsyncDisposable {
  readonly publisher: Publisher;
  /** The lists as they will be, of which nothing is active yet; null if the pack changes no list. */
  readonly lists: PreparedLists | null;
  /** True if it is the active pack already. */
  readonly isActive: boolean;
  /** Activates the pack in one step. Throws PackError if another pack was activated meanwhile. */
  install(): Promise<void>;
}

/**
 * Examines a pack from beginning to end, and changes nothing that is active.
 *
 * @throws PackError if it may not be installed, or cannot be used
 */
export async function prepareInstall(path: string, order: InstallOrder): Promise<ReadyPack> {
  const { dataDir, clock, knowledge } = order;
  const state = readPackState(dataDir);
  const { nowMs } = packTime(dataDir, clock);
  // Read nothing but the seal of an untrusted pack.
  trustedSigner((await readSeal(path)).signer, state);
  const draft = await copyBeside(path, dataDir);
  try {
    const pack = openPack(await readSeal(draft));
    const publisher = trustedSigner(pack.signer, state);
    const admissionTo = (now: PackState) => admit(pack, publisher, { ...order, state: now, nowMs, version: VERSION });
    const isActive = admissionTo(state) === 'active';
    const contents = await readContents(pack, knowledge);
    await refuseConflicts(pack, contents, order, state);
    const lists = await prepareLists(pack, contents, dataDir);
    const installed: InstalledPack = {
      name: pack.manifest.name,
      version: pack.manifest.version,
      print: pack.print,
      signer: publisher.fingerprint,
      installed: new Date(clock.now()).toISOString(),
    };
    return {
      installed,
      manifest: pack.manifest,
      publisher,
      contents,
      lists,
      isActive,
      async install() {
        const changed = changePackState(dataDir, (now) => {
          trustedSigner(pack.signer, now);
          admissionTo(now);
          renameSync(draft, installedPackPath(dataDir, installed));
          return withNextKey(withPack(now, installed), publisher, contents, installed.installed);
        });
        recordSeenTimes(dataDir, [pack.manifest.created]);
        await applyPackLists(dataDir, clock);
        await removeUnreferenced(dataDir, changed, clock.now());
      },
      async [Symbol.asyncDispose]() {
        await lists?.discard();
        await rm(draft, { force: true });
      },
    };
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Stores the bytes of a pack until they are disposed of, where packs are stored, so that their copy takes no other disk. */
export async function receivePack(dataDir: string, body: AsyncIterable<Uint8Array>) {
  const path = join(packFolder(dataDir), `.${randomUUID()}.new`);
  const remove = () => rm(path, { force: true });
  await mkdir(packFolder(dataDir), { recursive: true, mode: 0o700 });
  try {
    await pipeline(body, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, [Symbol.asyncDispose]: remove };
}

/** Lists that could not be imported by hand make a pack that cannot be used. */
async function prepareLists({ manifest }: OpenPack, { lists }: PackContents, dataDir: string) {
  try {
    return await preparePackLists(dataDir, { ...manifest, lists, isExpired: false });
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    throw new PackError('unusable', error.message, { cause: error });
  }
}

/** Copies a file to the folder where it will be stored, so that it cannot change during examination. */
async function copyBeside(path: string, dataDir: string): Promise<string> {
  const sealed = await readSeal(path);
  // Longer or shorter than it says is seen before it is copied.
  openPack(sealed);
  const folder = packFolder(dataDir);
  const draft = join(folder, `.${randomUUID()}.new`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await copyFile(path, draft);
    await using file = await open(draft, 'r+');
    await file.chmod(0o600);
    await file.sync();
    return draft;
  } catch (cause) {
    await rm(draft, { force: true });
    const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    throw new PackError('unusable', `it cannot be copied to the data directory${code}`, { cause });
  }
}

/** Refuses a pack that conflicts with other packs or the program. */
async function refuseConflicts(
  { manifest }: OpenPack,
  contents: PackContents,
  { dataDir, knowledge, settings }: InstallOrder,
  state: PackState,
): Promise<void> {
  const { packs } = await openActivePacks(dataDir, Promise.resolve(knowledge));
  const other = (holds: (of: PackContents) => boolean) =>
    holds(contents) && packs.find(({ installed, contents: of }) => installed.name !== manifest.name && holds(of));
  const refuse = (what: string, name: string) => {
    throw new PackError('unusable', `it has ${what}, and so has the active pack ${name}: remove that pack first`);
  };
  const [model, thresholds] = [other((of) => of.model !== null), other((of) => of.thresholds !== null)];
  if (model) refuse('a model', model.installed.name);
  if (thresholds) refuse('thresholds', thresholds.installed.name);
  await refuseDuplicateVersion(contents, knowledge);
  await refuseThresholds(contents, settings, knowledge);
  const { nextKey } = contents;
  const known = state.publishers.find(({ fingerprint }) => fingerprint === nextKey?.fingerprint);
  if (known?.revoked) throw new PackError('revoked_key', 'it has a key that was revoked here');
}

/** A service could not be started again by thresholds that leave no room between them and those of the settings. */
async function refuseThresholds(
  { model, thresholds }: PackContents,
  settings: VerdictSettings,
  knowledge: Knowledge,
): Promise<void> {
  if (model === null && thresholds === null) return;
  const { fusion } = model ?? (await openShipped(knowledge));
  try {
    assessSettings(settings, { fusion: thresholds ? { ...fusion, thresholds } : fusion });
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    throw new PackError('unusable', `with the settings, ${error.message}`, { cause: error });
  }
}

/** Two models of one version would be indistinguishable in the logs. */
async function refuseDuplicateVersion(contents: PackContents, knowledge: Knowledge): Promise<void> {
  if (contents.model === null) return;
  const shipped = await openShipped(knowledge);
  const version = modelVersionIn(contents);
  if (version !== versionOf(shipped) || Bun.deepEquals(contents.model.fusion, shipped.fusion)) return;
  throw new PackError('unusable', `another model ${version} is built in: its weights need another name`);
}

/** Trusts a key in a pack from now on, instead of the one that signed the pack. */
function withNextKey(
  state: PackState,
  { name, fingerprint }: Publisher,
  { nextKey }: PackContents,
  since: string,
): PackState {
  if (nextKey === null || state.publishers.some((known) => known.fingerprint === nextKey.fingerprint)) return state;
  return withPublisher(state, { ...nextKey, name, since, follows: fingerprint });
}

/** Another process may have stored a younger file and not listed it yet. */
const MIN_AGE_MS = HOUR_MS;

/** Removes packs that no rollback reaches. */
async function removeUnreferenced(dataDir: string, { active, before }: PackState, nowMs: number): Promise<void> {
  const installed = new Set([active, ...before].flat().map((one) => installedPackPath(dataDir, one)));
  for (const name of await readdir(packFolder(dataDir))) {
    const path = join(packFolder(dataDir), name);
    const isLeft = /\.(?:pack|new)$/.test(name) && !installed.has(path);
    if (isLeft && (await stat(path)).mtimeMs < nowMs - MIN_AGE_MS) await rm(path, { force: true });
  }
}
