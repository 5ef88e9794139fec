import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { openClassifier, openKnowledge } from '#src/admin/active/models.ts';
import { workOnLists } from '#src/admin/lists/thread/work-on-lists.ts';
import { activatePack, rollBackPacks } from '#src/admin/pack-updates/change-packs.ts';
import { comparePack } from '#src/admin/pack-updates/compare-pack.ts';
import { prepareInstall, type ReadyPack } from '#src/admin/pack-updates/install-pack.ts';
import { listPacks, packRow, requireUsable } from '#src/admin/pack-updates/list-packs.ts';
import { previewPack } from '#src/admin/pack-updates/preview-pack.ts';
import { openActivePacks } from '#src/admin/packs/active-packs.ts';
import { packFolder, packsBefore, readPackState } from '#src/admin/packs/pack-state.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { assessSettings } from '#src/engine/assess/settings.ts';
import type { PackOperations } from '#src/service/server/admin/pack-routes.ts';
import { type ConsoleService, changeActive } from './console-service.ts';
import { latestChecks } from './latest-checks.ts';

/** Number of latest checks on which a preview compares, as `pack install` does. */
const PREVIEWED_CHECKS = 10_000;

/** Maximum number of entries at popular sites that a preview names. */
const MAX_POPULAR = 10;

/** Returns what the console does with packs. */
export function consolePacks(service: ConsoleService): PackOperations {
  const dataDir = () => service.running().data_dir;

  async function prepared<T>(body: AsyncIterable<Uint8Array>, work: (pack: ReadyPack) => Promise<T>): Promise<T> {
    await using upload = await receive(dataDir(), body);
    const knowledge = await openKnowledge();
    const order = { dataDir: dataDir(), clock: systemClock, knowledge, settings: service.running(), mayBeOlder: false };
    await using pack = await prepareInstall(upload.path, order);
    return await work(pack);
  }

  async function preview(pack: ReadyPack) {
    const both = await previewPack(service.running(), pack);
    await setImmediate();
    const comparison = await comparePack(both, latestChecks(service.log, PREVIEWED_CHECKS), setImmediate);
    const changed = pack.lists?.changed ?? [];
    const same = new Set((pack.lists?.now.lists ?? []).map(({ sha256 }) => sha256));
    const lists = (pack.lists?.next ?? []).filter(({ sha256 }) => !same.has(sha256));
    const active = pack.lists?.now.lists ?? [];
    const work = { versions: lists };
    const popular = await workOnLists('popularSiteHits', work, dataDir(), lists, active, MAX_POPULAR);
    const entries = changed.reduce((sum, list) => sum + list.entries, 0);
    return { comparison, entries, popular };
  }

  return {
    async list() {
      const { publishers } = readPackState(dataDir());
      return { packs: (await listPacks(dataDir())).map(packRow), publishers };
    },
    state() {
      const { active, before } = readPackState(dataDir());
      return { active, before };
    },
    preview: (body) => service.heavy.run(() => prepared(body, preview)),
    install: (by, body) =>
      service.heavy.run(() =>
        prepared(body, async (pack) => {
          if (!pack.isActive) await changeActive(service, ['packs', 'lists'], () => activatePack(dataDir(), by, pack));
          const { name, version } = pack.installed;
          return { name, version };
        }),
      ),
    previewRollBack: () =>
      service.heavy.run(async () => {
        const before = packsBefore(readPackState(dataDir()));
        if (before === null) return null;
        const knowledge = await openKnowledge();
        await requireUsable(dataDir(), before, knowledge);
        const packs = await openActivePacks(dataDir(), Promise.resolve(knowledge), before);
        const next = await openClassifier(dataDir(), () => packs);
        const now = service.engine.scoringContext();
        const settings = assessSettings(service.running(), next.models);
        const both = { now, next: { ...next, lists: now.lists, settings } };
        const comparison = await comparePack(both, latestChecks(service.log, PREVIEWED_CHECKS), setImmediate);
        return { comparison, entries: 0 };
      }),
    async rollBack(by) {
      const active = await changeActive(service, ['packs', 'lists'], () => rollBackPacks(dataDir(), by));
      return active === null ? null : active.map(({ name, version }) => ({ name, version }));
    },
  };
}

/** Stores an upload until it is disposed of, where packs are stored, so that its copy takes no other disk. */
async function receive(dataDir: string, body: AsyncIterable<Uint8Array>) {
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
