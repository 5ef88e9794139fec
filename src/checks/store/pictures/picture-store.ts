import { existsSync, readFileSync } from 'node:fs';
import { type Clock, DAY_MS, MINUTE_MS } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { oncePerRound } from '#src/core/base/timers.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { freeDiskBytes } from '../file/file-system.ts';
import { quarantineFile } from '../file/open-or-replace.ts';
import { keepFileThread } from '../upkeep/file-thread.ts';
import { openPictureFile, type PictureFile } from './picture-file.ts';
import { ownPictureIn, pictureFileIn } from './picture-path.ts';

/** See {@link PictureFile.removeOldest}. */
interface SweepBounds {
  readonly bytes: number;
  readonly beforeMs: number;
}

/** Dependencies of {@link createPictureSweeper}. */
interface PictureSweeping {
  /** Returns null if a log has no pictures. */
  fileOf(visibility: Visibility): PictureFile | null;
  /** Returns the bounds that hold for a sweep. */
  boundsOf(file: PictureFile): SweepBounds;
  readonly thread: Pick<ReturnType<typeof keepFileThread>, 'run'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Pictures that are removed before the write-ahead log is moved into the file. */
const REMOVED_TOGETHER = 20;

/**
 * Creates a sweeper, which has one log swept after the other, each picture in its own round of the event loop. Its end
 * completes those of deleted checks.
 */
function createPictureSweeper({ fileOf, boundsOf, thread, logger }: PictureSweeping) {
  const leaving = { public: new Set<string>(), private: new Set<string>() };
  const waiting = new Map<Visibility, Promise<void>>();
  const nextStep = oncePerRound();
  let last = Promise.resolve();
  let isClosing = false;

  /** Returns false if nothing is left to do. */
  function removeOne(ids: Set<string>, file: PictureFile, bounds: SweepBounds): boolean {
    const [id] = ids;
    if (id === undefined) return !isClosing && file.removeOldest(bounds.bytes, bounds.beforeMs);
    ids.delete(id);
    file.remove(id);
    return true;
  }

  async function sweepNow(visibility: Visibility): Promise<void> {
    const file = fileOf(visibility);
    if (file === null) return leaving[visibility].clear();
    const bounds = boundsOf(file);
    let steps = 0;
    for (; removeOne(leaving[visibility], file, bounds); await nextStep()) {
      if (++steps % REMOVED_TOGETHER === 0) await thread.run({ kind: 'checkpoint', path: file.path });
    }
    if (steps === 0) return;
    while (file.shorten()) await nextStep();
    // No deleted picture stays in the write-ahead log.
    const { problem } = await thread.run({ kind: 'truncate', path: file.path });
    if (problem !== null) logger.warn('screenshot.failed', { problem });
  }

  return {
    /** Removes the pictures of these checks and those beyond the bounds, later. Never rejects. */
    sweep(visibility: Visibility, requestIds: readonly string[]) {
      for (const id of requestIds) leaving[visibility].add(id);
      const known = waiting.get(visibility);
      if (known !== undefined) return known;
      last = last.then(nextStep).then(async () => {
        waiting.delete(visibility);
        await sweepNow(visibility).catch((error) => logger.warn('screenshot.failed', { error }));
      });
      waiting.set(visibility, last);
      return last;
    },
    async [Symbol.asyncDispose]() {
      isClosing = true;
      await last;
    },
  };
}

/** Bounds of the pictures of one log. */
export interface PictureBounds {
  /** Whole days; 0 keeps no pictures. */
  readonly days: number;
  /** 0 keeps no pictures. */
  readonly bytes: number;
}

/** Pictures of pages, those of private checks apart. No failure of theirs is one of a check: it is logged. */
export interface PictureStore extends AsyncDisposable {
  readonly dataDir: string;
  /** False if the bounds keep none. */
  readonly isOn: boolean;
  /** Holds a picture in memory until its check is stored, for a minute at most. */
  hold(visibility: Visibility, sha256: string, webp: Uint8Array): void;
  /** Stores a picture that is held under its hash. */
  store(visibility: Visibility, requestId: string, sha256: string): void;
  has(visibility: Visibility, requestId: string): boolean;
  /** Returns the picture of a check, or of an own page, and the log that the check is in; null if there is none. */
  find(requestId: string): { readonly visibility: Visibility; readonly webp: Buffer } | null;
  /** Removes the pictures of deleted checks, in steps that begin later. */
  remove(visibility: Visibility, requestIds: readonly string[]): Promise<void>;
  /** Removes what is beyond the bounds, in steps. */
  bound(): Promise<void>;
  /** Ids of the checks of a log that have a picture of at least this age, by default of any. */
  ids(visibility: Visibility, leastAgeMs?: number): readonly string[];
}

/** Options of {@link openPictureStore}. */
export interface OpenPictureStore {
  readonly dataDir: string;
  readonly bounds: PictureBounds;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Free disk space of a path. */
  readonly freeBytes?: (path: string) => number;
}

/** Pictures whose checks are not stored yet; each has at most 200 kB. */
const MAX_HELD = 32;

/** Bytes after which the write-ahead log is moved into the file. */
const CHECKPOINT_BYTES = 4 * 1024 * 1024;

/** Free disk space that is left to checks: four times what a log keeps to delete in. */
const RESERVE_BYTES = 32 * 1024 * 1024;

/** Opens the pictures of a data directory. Files are created with their first picture. */
export function openPictureStore({
  dataDir,
  bounds,
  clock,
  logger,
  freeBytes = freeDiskBytes,
}: OpenPictureStore): PictureStore {
  const files = new Map<Visibility, PictureFile>();
  const held = new Map<string, Uint8Array>();
  const missingBytes = () => Math.max(0, RESERVE_BYTES - freeBytes(dataDir));
  const thread = keepFileThread();
  let unmoved = 0;
  const isOn = bounds.days > 0 && bounds.bytes > 0;

  const trying = <T>(otherwise: T, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      logger.warn('screenshot.failed', { error });
      return otherwise;
    }
  };
  const createdFileOf = (visibility: Visibility): PictureFile => {
    const known = files.get(visibility);
    if (known?.isDamaged) {
      known[Symbol.dispose]();
      files.delete(visibility);
      quarantineFile(known.path, clock.now(), null);
    }
    return files.getOrInsertComputed(visibility, () =>
      openPictureFile(pictureFileIn(dataDir, visibility), clock.now()),
    );
  };
  const fileOf = (visibility: Visibility): PictureFile | null =>
    files.has(visibility) || existsSync(pictureFileIn(dataDir, visibility)) ? createdFileOf(visibility) : null;
  const sweeper = createPictureSweeper({
    ...{ fileOf, thread, logger },
    boundsOf: (file) => ({
      bytes: Math.min(bounds.bytes, Math.max(0, file.bytes - missingBytes())),
      beforeMs: isOn ? clock.now() - bounds.days * DAY_MS : Infinity,
    }),
  });
  const bound = async () => {
    await Promise.all(VISIBILITIES.map((visibility) => sweeper.sweep(visibility, [])));
  };
  const keyOf = (visibility: Visibility, sha256: string) => `${visibility} ${sha256}`;

  return {
    dataDir,
    isOn,
    hold(visibility, sha256, webp) {
      const key = keyOf(visibility, sha256);
      const [oldest] = held.keys();
      if (held.size >= MAX_HELD && oldest !== undefined) held.delete(oldest);
      held.set(key, webp);
      setTimeout(() => {
        if (held.get(key) === webp) held.delete(key);
      }, MINUTE_MS).unref();
    },
    store: (visibility, requestId, sha256) =>
      trying(undefined, () => {
        const webp = held.get(keyOf(visibility, sha256));
        if (!isOn || webp === undefined) return;
        if (missingBytes() > 0) return void bound();
        const file = createdFileOf(visibility);
        file.insert(requestId, webp, clock.now());
        void sweeper.sweep(visibility, []);
        unmoved += webp.length;
        if (unmoved <= CHECKPOINT_BYTES) return;
        unmoved = 0;
        void thread.run({ kind: 'checkpoint', path: file.path });
      }),
    has: (visibility, requestId) => trying(false, () => fileOf(visibility)?.has(requestId) ?? false),
    find: (requestId) =>
      trying(null, () => {
        const own = ownPictureIn(dataDir, requestId);
        if (own !== null) return existsSync(own) ? { visibility: 'public', webp: readFileSync(own) } : null;
        for (const visibility of VISIBILITIES) {
          const webp = fileOf(visibility)?.find(requestId) ?? null;
          if (webp !== null) return { visibility, webp };
        }
        return null;
      }),
    remove: sweeper.sweep,
    bound,
    ids: (visibility, leastAgeMs = 0) => trying([], () => fileOf(visibility)?.ids(clock.now() - leastAgeMs) ?? []),
    async [Symbol.asyncDispose]() {
      await sweeper[Symbol.asyncDispose]();
      for (const { path } of files.values()) await thread.run({ kind: 'truncate', path });
      await thread[Symbol.asyncDispose]();
      for (const file of files.values()) file[Symbol.dispose]();
    },
  };
}
