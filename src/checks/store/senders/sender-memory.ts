import { createHmac } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { asc, count, eq, inArray } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { type Clock, DAY_MS } from '#src/core/base/clock.ts';
import sendersSql from '../../../../drizzle/senders/0000_senders.sql' with { type: 'text' };
import { isDamage } from '../file/fault.ts';
import { quarantineFile } from '../file/open-or-replace.ts';
import { openExpendableFile } from '../file/open-side-file.ts';
import { keepFileThread } from '../upkeep/file-thread.ts';
import { senders } from './sender-schema.ts';

/** Confirmed senders of mails in a file of the data directory, which has no address. No failure of its is one of a mail. */
export interface SenderMemory extends AsyncDisposable {
  /** Returns true for a sender who wrote on at least two earlier days, the first of them at least a week ago. */
  isKnown(address: string): boolean;
  /** Notes later that a confirmed sender wrote today. */
  note(address: string): void;
}

/** Options of {@link openSenderMemory}. */
export interface OpenSenderMemory {
  readonly dataDir: string;
  /** Key of this installation. */
  readonly key: () => Buffer;
  /** Returns the days that a sender is kept after its last mail; 0 keeps none. */
  readonly days: () => number;
  readonly clock: Pick<Clock, 'now'>;
  readonly onFailure: (error: unknown) => void;
  /** Maximum number of senders; those whose last mail is the oldest are removed first. */
  readonly most?: number;
}

const MIGRATIONS = [{ name: '0000_senders', sql: sendersSql }];

const MAX_SENDERS = 100_000;

/** Age of an acquaintance, and number of earlier days. */
const LEAST_AGE = 7;
const LEAST_DAYS = 2;

/** Maximum number of senders that one step removes, so that it takes less than a millisecond. */
const REMOVED_TOGETHER = 20;

/** Written senders after which the write-ahead log is moved into the file. */
const WRITTEN_TOGETHER = 200;

/** Opens the memory of a data directory. Its file is created with the first sender, and removed where none are kept. */
export function openSenderMemory(options: OpenSenderMemory): SenderMemory {
  const { dataDir, key, days, clock, onFailure, most = MAX_SENDERS } = options;
  const path = `${dataDir}/senders.sqlite`;
  const thread = keepFileThread();
  let file: SenderFile | null = null;
  let written = 0;
  let isClosed = false;
  const trying = <T>(otherwise: T, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      onFailure(error);
      if (isDamage(error)) renew();
      return otherwise;
    }
  };
  /** The next sender goes into a new file. */
  const renew = () => {
    file?.[Symbol.dispose]();
    file = null;
    quarantineFile(path, clock.now(), null);
  };
  const hashOf = (address: string) => createHmac('sha256', key()).update(`sender ${address}`).digest();
  const today = () => Math.floor(clock.now() / DAY_MS);
  const opened = () => {
    file ??= openFile(path, clock.now());
    return file;
  };
  const noteNow = (address: string) => {
    const day = today();
    if (isClosed || !opened().note(hashOf(address), day, { oldest: day - days(), most })) return;
    written++;
    if (written % WRITTEN_TOGETHER === 0) void thread.run({ kind: 'checkpoint', path });
  };
  trying(undefined, () => {
    if (days() === 0) for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  });

  return {
    isKnown: (address) =>
      days() > 0 &&
      trying(false, () => {
        if (file === null && !existsSync(path)) return false;
        const day = today();
        const row = opened().find(hashOf(address));
        if (row === undefined || row.lastDay < day - days() || row.firstDay > day - LEAST_AGE) return false;
        return row.days - (row.lastDay === day ? 1 : 0) >= LEAST_DAYS;
      }),
    note(address) {
      if (days() > 0) setTimeout(() => trying(undefined, () => noteNow(address)), 0);
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      if (file !== null) await thread.run({ kind: 'truncate', path });
      await thread[Symbol.asyncDispose]();
      file?.[Symbol.dispose]();
    },
  };
}

/** Bounds of the senders of a file: the oldest day of a last mail, and their number. */
interface SenderBounds {
  readonly oldest: number;
  readonly most: number;
}

type SenderFile = ReturnType<typeof openFile>;

/** Opens the file, and creates it if missing. Throws StoreError. */
function openFile(path: string, nowMs: number) {
  const database = openExpendableFile(path, nowMs, MIGRATIONS);
  const db = drizzle(database);
  let rows = db.select({ rows: count() }).from(senders).get()?.rows ?? 0;
  const find = (address: Buffer) => db.select().from(senders).where(eq(senders.address, address)).get();

  /** Removes a few senders beyond the bounds. */
  function bound({ oldest, most }: SenderBounds): void {
    const first = db.select().from(senders).orderBy(asc(senders.lastDay)).limit(REMOVED_TOGETHER).all();
    const beyond = first.filter(({ lastDay }, at) => lastDay < oldest || at < rows - most);
    if (beyond.length === 0) return;
    const addresses = beyond.map(({ address }) => address);
    db.delete(senders).where(inArray(senders.address, addresses)).run();
    rows -= beyond.length;
  }

  /** Notes a sender. Returns false if it was noted on that day. */
  function note(address: Buffer, day: number, bounds: SenderBounds): boolean {
    const before = find(address);
    if (before !== undefined && before.lastDay >= day) return false;
    const isKept = before !== undefined && before.lastDay >= bounds.oldest;
    const seen = { firstDay: isKept ? before.firstDay : day, lastDay: day, days: isKept ? before.days + 1 : 1 };
    db.insert(senders)
      .values({ address, ...seen })
      .onConflictDoUpdate({ target: senders.address, set: seen })
      .run();
    if (before === undefined) rows++;
    bound(bounds);
    return true;
  }

  return {
    find,
    note: (...given: Parameters<typeof note>) => database.transaction(() => note(...given)).immediate(),
    [Symbol.dispose]: () => database.close(),
  };
}
