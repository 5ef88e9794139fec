import type { SQL } from 'bun';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/bun-sql';
import type { Clock } from '#src/base/clock.ts';
import type { Logger } from '#src/base/logger.ts';
import type { Session } from './session.ts';
import { pgNodes } from './tables.ts';

/** How often a node says that it lives. */
const SIGN_EVERY_MS = 10_000;

/** Clocks that differ by more than this put checks in an order that nobody expects. */
const TELLING_MS = 2000;

/** What a node judges by. */
export interface NodeJudgement {
  readonly modelVersion: string;
  /** Of the operator's own lists; empty where there are none. */
  readonly listsVersion: string;
}

/** What a node says of itself. */
export interface NodeSign {
  readonly name: string;
  readonly version: string;
  /** What it judges by; null while that is not known. */
  readonly judgement: () => NodeJudgement | null;
  /** How many of its checks are not in their databases yet. */
  readonly waiting: () => number;
  readonly clock: Clock;
}

/**
 * Notes that a node lives, and by how much its clock is ahead of the database's. Answers with that, and with the number
 * under which it counts: that of its name, for good.
 */
export async function signIn(
  client: SQL,
  { name, version, judgement, waiting, clock }: NodeSign,
): Promise<{ id: number; aheadMs: number }> {
  const now = sql`now()`;
  const aheadMs = sql`${clock.now()}::float8 - extract(epoch from clock_timestamp()) * 1000`;
  const said = { version, ...judgement(), waiting: waiting(), seenAt: now, aheadMs };
  const [row] = await drizzle({ client })
    .insert(pgNodes)
    .values({ name, modelVersion: '', listsVersion: '', ...said, startedAt: now })
    .onConflictDoUpdate({ target: pgNodes.name, set: said })
    .returning({ id: pgNodes.id, aheadMs: pgNodes.aheadMs });
  if (!row) throw new Error('the database took a node and gave it no number');
  return row;
}

/** Says now and then that a node lives, and tells the operator where its clock is wrong, until it is disposed of. */
export function keepSigningIn(session: Session, sign: NodeSign, logger: Logger): Disposable {
  let isWrong = false;
  async function look(): Promise<void> {
    const { aheadMs } = await session.run((connection) => signIn(connection.sql, sign));
    const isTelling = Math.abs(aheadMs) > TELLING_MS;
    if (isTelling && !isWrong) logger.warn('node.clock_differs', { ahead_seconds: aheadMs / 1000 });
    isWrong = isTelling;
  }
  // A database that is away is told of by who writes to it.
  const timer = setInterval(() => void look().catch(() => {}), SIGN_EVERY_MS);
  void look().catch(() => {});
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
