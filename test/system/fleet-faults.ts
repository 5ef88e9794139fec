import { expect } from 'bun:test';
import { lurecheck } from '#test/support/executable.ts';
import type { ReplicatedDatabases } from './fleet-databases.ts';
import type { ReplicatedLimiters } from './fleet-limiters.ts';
import type { FleetNodes } from './fleet-nodes.ts';

/** How long what hangs does so. */
const HANGING_MS = 3000;

/** From when until when, by the monotonic clock. */
export interface Moment {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Something that happens to a fleet under load. */
export interface Fault {
  readonly name: string;
  /** True if reads may fail meanwhile: no database can be read, or a node stops whose reads wait for one that hangs. */
  readonly isWithoutDatabase?: true;
  readonly strike: () => Promise<unknown>;
}

/** What can happen to it. */
export interface FaultyFleet {
  readonly nodes: FleetNodes;
  readonly databases: ReplicatedDatabases;
  readonly limiters: ReplicatedLimiters;
  /** A data directory for a node that is refused, and that of the operator's machine. */
  readonly refused: string;
  readonly desk: string;
  /** The client key file of the fleet. */
  readonly key: string;
  /** Told when a node was killed. */
  readonly onKilled: (moment: Moment) => void;
  /** Lets the limiter hang while clients ask. */
  readonly whileLimiterHangs: () => Promise<unknown>;
}

const FORMER = 'A former primary';

/** All is well but for what was a primary once. */
export const isWell = (notices: readonly string[]): boolean => notices.every((notice) => notice.startsWith(FORMER));

/** Faults of every kind, in order: those of the limiter come last, since limits are exact only until then. */
export function faultsOf(fleet: FaultyFleet): readonly Fault[] {
  const { nodes, databases, limiters } = fleet;
  const restarted = (node: number): Fault => ({
    name: `node ${node} is restarted`,
    strike: () => restart(nodes, node),
  });
  const killed = (node: number): Fault => ({
    name: `\`kill -9\` of node ${node}`,
    async strike() {
      fleet.onKilled(await nodes.kill(node));
      await nodes.start(node);
    },
  });
  const hanging: Fault = {
    name: 'the database hangs',
    strike: () => hang(databases, () => nodes.untilAll((notices) => notices.length > 0)),
  };
  const killedMeanwhile: Fault = {
    name: 'the database hangs, and a node is killed meanwhile',
    strike: () => hang(databases, killed(2).strike),
  };
  const restartedMeanwhile: Fault = {
    name: 'the database hangs, and a node is restarted meanwhile',
    isWithoutDatabase: true,
    strike: () => hang(databases, restarted(0).strike),
  };
  const frozen = (node: number): Fault => ({
    name: `node ${node} hangs`,
    async strike() {
      nodes.pause(node);
      await Bun.sleep(HANGING_MS);
      nodes.resume(node);
    },
  });
  return [
    restartedMeanwhile,
    killed(1),
    hanging,
    { name: 'the database restarts', strike: () => databases.restart() },
    frozen(2),
    { name: 'the statistics are locked', strike: () => databases.lockStatistics(HANGING_MS) },
    restarted(1),
    { name: 'numbers of nodes are used up, and a node starts anew', strike: () => useUpNumbers(fleet) },
    killedMeanwhile,
    { name: '`kill -9` of the primary', strike: () => databases.killPrimary() },
    { name: 'the standby is promoted', strike: () => databases.promote() },
    { name: 'the former primary comes back, and a node starts anew', strike: () => bringBack(fleet) },
    { name: 'a node with exchanged URLs is refused', strike: () => refuseExchanged(fleet) },
    { name: 'the operator changes a list of all nodes', strike: () => blockForAll(fleet) },
    killed(0),
    { ...hanging, name: 'the new primary hangs', isWithoutDatabase: true },
    restarted(2),
    { name: 'the new primary restarts', isWithoutDatabase: true, strike: () => databases.restart() },
    { name: 'the Redis hangs', strike: fleet.whileLimiterHangs },
    { name: 'the Redis is killed, and starts without what it knew', strike: () => limiters.restartPrimary() },
    restarted(0),
    { name: '`kill -9` of the Redis, its replica is promoted', strike: () => limiters.failOver() },
    { name: 'the former Redis comes back and takes writes', strike: () => limiters.startFormerPrimary() },
    { name: 'a node starts beside the former Redis', strike: () => restart(nodes, 1) },
    killed(2),
  ];
}

async function restart(nodes: FleetNodes, node: number): Promise<void> {
  expect(await nodes.stop(node)).toBe(0);
  await nodes.start(node);
}

/** For a while, and until `meanwhile` is done. */
async function hang(databases: ReplicatedDatabases, meanwhile: () => Promise<unknown>): Promise<void> {
  databases.pause();
  try {
    await Promise.all([Bun.sleep(HANGING_MS), meanwhile()]);
  } finally {
    databases.resume();
  }
}

async function useUpNumbers({ databases, nodes }: FaultyFleet): Promise<void> {
  await databases.useUpNumbers();
  await restart(nodes, 2);
}

async function bringBack({ databases, nodes }: FaultyFleet): Promise<void> {
  await databases.startFormerPrimary();
  await restart(nodes, 2);
  await nodes.untilAll((notices) => notices.some((notice) => notice.startsWith('A former primary answers')));
}

/** A site that the operator blocks on all nodes while other faults go on. */
export const BLOCKED_HOST = 'blocked-for-all.example';

async function blockForAll({ databases, key, desk }: FaultyFleet): Promise<void> {
  const flags = ['--data-dir', desk, '--client-key-file', key, ...databases.flags];
  expect(await lurecheck(['lists', 'add', 'ours', BLOCKED_HOST, ...flags])).toMatchObject({ exitCode: 0 });
}

async function refuseExchanged({ databases, refused }: FaultyFleet): Promise<void> {
  const exchanged = databases.flags.map((flag) =>
    flag === '--log-database' ? `${flag}-private` : flag === '--log-database-private' ? '--log-database' : flag,
  );
  const { exitCode, stderr } = await lurecheck(['serve', '--data-dir', refused, ...exchanged]);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('holds the private log')]);
}
