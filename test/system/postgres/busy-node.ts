import { expect } from 'bun:test';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { onDatabase } from '#src/parts/postgres/examine-server.ts';
import type { Databases } from '#test/support/postgres.ts';
import { sampleRecord } from '#test/support/sample-record.ts';

const CONCURRENCY = 20;

/** A node, and what it said that it keeps. */
export function createNode(log: ScanLog) {
  const acknowledged: string[] = [];
  const refused: unknown[] = [];
  let next = 0;
  const record = (visibility: CheckRecord['visibility']) =>
    sampleRecord({
      visibility,
      url: `https://n${next++}.example.com/`,
      atMs: Date.now(),
      result: { decision: 'block' },
    });

  async function one(visibility: CheckRecord['visibility']): Promise<void> {
    const kept = record(visibility);
    try {
      await log.append(kept);
      if (visibility === 'public') acknowledged.push(kept.result.request_id);
    } catch (error) {
      refused.push(error);
    }
  }

  return {
    acknowledged,
    refused,
    /** So many public checks, a fifth as many private ones beside them, some at a time. */
    async check(count: number): Promise<void> {
      let left = count;
      const work = async () => {
        while (left-- > 0) {
          await one('public');
          if (left % 5 === 0) await one('private');
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, work));
    },
    /** Until nothing waits on the node and the database takes what comes. */
    async untilHome(): Promise<void> {
      for (;;) {
        const { problem, notices } = await log.health();
        if (problem === null && notices.length === 0) return;
        await Bun.sleep(10);
      }
    },
  };
}

/** Expects that the public database holds what was acknowledged, once, and counts it so. */
export async function expectAllThere(databases: Databases, acknowledged: readonly string[]): Promise<void> {
  await onDatabase(databases.url('public', 'owner'), async ({ sql }) => {
    const rows: { id: string }[] = await sql.unsafe('select request_id::text as id from checks');
    expect(rows.map(({ id }) => id).toSorted()).toEqual(acknowledged.toSorted());
    const [sums] = await sql.unsafe(`select (select sum(checks)::int from counts where measure = 0) as counted,
      (select sum(checks)::int from blocked where kind = 1) as blocked,
      (select count(domain_3)::int from checks) as found`);
    const all = acknowledged.length;
    expect(sums).toEqual({ counted: all, blocked: all, found: all });
  });
}
