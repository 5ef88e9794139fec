import { join } from 'node:path';
import { type InstalledPack, packFolder, readPackState } from '#src/admin/active/pack-state.ts';
import { audited } from '#src/admin/audit/audit-log.ts';
import type { Clock } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { readIfExists, replaceFile } from '#src/core/base/files/locked-file.ts';
import { isText, mapWith, objectWith } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { readListState } from '#src/network/lists/stored/list-state.ts';
import type { PreparedLists } from '#src/parts/lists/change-lists.ts';
import type { ListChange } from '#src/parts/lists/list-change.ts';
import { changeStoredLists, prepareStoredLists } from '#src/parts/lists/thread/work-on-lists.ts';
import { openInstalledFile } from '#src/parts/packs/packs/active-packs.ts';
import type { Manifest } from '#src/parts/packs/packs/manifest.ts';
import { type ListInPack, listsIn } from '#src/parts/packs/packs/pack-contents.ts';
import { PackError } from '#src/parts/packs/packs/pack-error.ts';
import { packTime } from '#src/parts/packs/packs/pack-time.ts';

/** Weight of a match on a list that is out of date, in log-odds (nats), instead of deciding alone. */
const OUT_OF_DATE_WEIGHT = 2;

/** Properties of a pack that determine its lists. */
interface PackOfLists extends Pick<Manifest, 'name' | 'version'> {
  readonly lists: readonly ListInPack[];
  readonly isExpired: boolean;
}

/**
 * Writes the lists of a pack beside the active ones; null if neither it nor the preceding pack has any.
 *
 * @throws OperationError if one cannot be read
 */
export async function preparePackLists(dataDir: string, pack: PackOfLists): Promise<PreparedLists | null> {
  const changes = await changesFor(dataDir, pack);
  return changes.length === 0 ? null : await prepareStoredLists(dataDir, originOf(pack.name), changes);
}

/**
 * Makes the lists of the data directory match the active packs: the active state decides which packs apply. Lists that
 * the operator has removed since stay removed.
 *
 * @throws OperationError if the lists cannot be changed
 */
export async function applyPackLists(dataDir: string, clock: Clock): Promise<void> {
  try {
    await applyOnce(dataDir, clock);
  } catch (error) {
    // The service, or a command beside it, may have been at the same.
    if (!(error instanceof OperationError)) throw error;
    await applyOnce(dataDir, clock);
  }
}

async function applyOnce(dataDir: string, clock: Clock): Promise<void> {
  const applied = readApplied(dataDir);
  const { active } = readPackState(dataDir);
  const { nowMs } = packTime(dataDir, clock);
  for (const name of new Set([...active.map((installed) => installed.name), ...applied.keys()])) {
    const installed = active.find((one) => one.name === name);
    const pack = installed ? await openOrNull(dataDir, installed) : NO_LISTS;
    // If a pack cannot be read, its lists stay unchanged, and that is reported.
    if (pack === null) continue;
    const isExpired = Date.parse(pack.manifest.expires) <= nowMs;
    const standing = installed && `${installed.print} ${isExpired ? 'expired' : 'valid'}`;
    if (standing === applied.get(name)) continue;
    const changes = await changesFor(dataDir, { name, version: pack.manifest.version, lists: pack.lists, isExpired });
    if (changes.length > 0) {
      const change = () => changeStoredLists(dataDir, originOf(name), changes);
      // Installations and removals are in the audit log already; an expiry has no actor.
      const hasExpired = isExpired && applied.get(name) === `${installed?.print} valid`;
      const what = { action: 'pack.expire', subject: name, detail: { version: pack.manifest.version } };
      await (hasExpired ? audited(dataDir, { service: 'packs' }, what, change) : change());
    }
    if (standing === undefined) applied.delete(name);
    else applied.set(name, standing);
    await writeApplied(dataDir, applied);
  }
}

interface ListsOfPack {
  readonly manifest: Pick<Manifest, 'version' | 'expires'>;
  readonly lists: readonly ListInPack[];
}

const NO_LISTS: ListsOfPack = { manifest: { version: 0, expires: '' }, lists: [] };

async function openOrNull(dataDir: string, installed: InstalledPack): Promise<ListsOfPack | null> {
  try {
    const pack = await openInstalledFile(dataDir, installed);
    return { manifest: pack.manifest, lists: listsIn(pack) };
  } catch (error) {
    if (error instanceof PackError) return null;
    throw error;
  }
}

/** Whose the lists of a pack are. */
function originOf(name: string): string {
  return `pack ${name}`;
}

async function changesFor(dataDir: string, { name, version, lists, isExpired }: PackOfLists): Promise<ListChange[]> {
  const names = new Set(lists.map(({ list }) => list));
  const gone = (await readListState(dataDir)).lists.filter(
    (one) => one.origin === originOf(name) && !names.has(one.name),
  );
  const imports = lists.map(
    async ({ list, action, read }): Promise<ListChange> => ({
      ...{ what: 'import', list, action, weight: isExpired ? OUT_OF_DATE_WEIGHT : null },
      ...{ expiresAtMs: null, mayBeEmpty: true },
      items: { bytes: await read(), format: null },
      source: `${name} ${version}`,
    }),
  );
  return [
    ...gone.map((one): ListChange => ({ what: 'remove', list: one.name, entries: null })),
    ...(await Promise.all(imports)),
  ];
}

/** The packs that the lists of the data directory match, and whether they had expired. */
const isApplied = objectWith({ applied: mapWith(isText) });

function appliedFile(dataDir: string): string {
  return join(packFolder(dataDir), 'lists.json');
}

function readApplied(dataDir: string): Map<string, string> {
  const json = parseJson(readIfExists(appliedFile(dataDir), 'packs') ?? '');
  return new Map(isApplied(json) ? Object.entries(json.applied) : []);
}

async function writeApplied(dataDir: string, applied: ReadonlyMap<string, string>): Promise<void> {
  await replaceFile(appliedFile(dataDir), `${JSON.stringify({ applied: Object.fromEntries(applied) })}\n`);
}
