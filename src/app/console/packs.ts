import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { openClassifier, openKnowledge } from '#src/admin/active/models.ts';
import { perform } from '#src/admin/audit/act.ts';
import { MAX_POPULAR } from '#src/admin/lists/preview-change.ts';
import { popularHitsOf } from '#src/admin/lists/preview-lists.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { assessSettings } from '#src/engine/assess/settings.ts';
import { openActivePacks } from '#src/parts/packs/packs/active-packs.ts';
import { packFolder, packsBefore, readPackState } from '#src/parts/packs/packs/pack-state.ts';
import { comparePack } from '#src/parts/packs/updates/compare-pack.ts';
import { prepareInstall, type ReadyPack } from '#src/parts/packs/updates/install-pack.ts';
import { listPacks, packRow, requireUsable } from '#src/parts/packs/updates/list-packs.ts';
import { INSTALL_PACK, ROLL_BACK_PACKS } from '#src/parts/packs/updates/pack-acts.ts';
import { previewPack } from '#src/parts/packs/updates/preview-pack.ts';
import { latestChecks } from '#src/parts/tuning/rescore/latest-checks.ts';
import type { PackOperations } from '#src/service/server/admin/pack-routes.ts';
import { type ConsoleService, consolePlace } from './console-service.ts';

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
    const comparison = await comparePack(both, latestChecks(service.log), setImmediate);
    if (pack.lists === null) return { comparison, entries: 0 };
    const popular = await popularHitsOf(dataDir(), pack.lists, MAX_POPULAR);
    return { comparison, popular, entries: pack.lists.changed.reduce((sum, list) => sum + list.entries, 0) };
  }

  return {
    async list() {
      const { publishers } = readPackState(dataDir());
      return { packs: (await listPacks(dataDir())).map(packRow), publishers };
    },
    async state() {
      const { active, before } = readPackState(dataDir());
      return { active, before };
    },
    preview: (body) => service.heavy.run(() => prepared(body, preview)),
    install: (by, body) =>
      service.heavy.run(() =>
        prepared(body, async (pack) => {
          if (!pack.isActive) await perform(INSTALL_PACK, consolePlace(service), by, pack);
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
        const comparison = await comparePack(both, latestChecks(service.log), setImmediate);
        return { comparison, entries: 0 };
      }),
    async rollBack(by) {
      if (packsBefore(readPackState(dataDir())) === null) return null;
      const active = await perform(ROLL_BACK_PACKS, consolePlace(service), by, null);
      return active.map(({ name, version }) => ({ name, version }));
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
