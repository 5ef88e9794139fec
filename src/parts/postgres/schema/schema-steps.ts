import type { SQL } from 'bun';
import { StoreError } from '#src/checks/store/store-error.ts';
import checks from '../../../../drizzle/postgres/0000_checks.sql' with { type: 'text' };
import deletions from '../../../../drizzle/postgres/0001_deletions.sql' with { type: 'text' };
import nodes from '../../../../drizzle/postgres/0002_nodes.sql' with { type: 'text' };
import coverage from '../../../../drizzle/postgres/0003_coverage.sql' with { type: 'text' };
import servers from '../../../../drizzle/postgres/0004_servers.sql' with { type: 'text' };
import upkeep from '../../../../drizzle/postgres/0005_upkeep.sql' with { type: 'text' };
import deciding from '../../../../drizzle/postgres/0006_deciding_host.sql' with { type: 'text' };
import prints from '../../../../drizzle/postgres/0007_node_prints.sql' with { type: 'text' };
import shared from '../../../../drizzle/postgres/0008_shared.sql' with { type: 'text' };
import sharedFiles from '../../../../drizzle/postgres/0009_shared_files.sql' with { type: 'text' };
import feedback from '../../../../drizzle/postgres/0010_feedback.sql' with { type: 'text' };
import decidedBy from '../../../../drizzle/postgres/0011_decided_by.sql' with { type: 'text' };
import listHits from '../../../../drizzle/postgres/0012_list_hits.sql' with { type: 'text' };
import domains from '../../../../drizzle/postgres/0013_domain_columns.sql' with { type: 'text' };
import decisions from '../../../../drizzle/postgres/0014_decisions.sql' with { type: 'text' };
import messages from '../../../../drizzle/postgres/0015_messages.sql' with { type: 'text' };
import missingChecks from '../../../../drizzle/postgres/0016_missing_checks.sql' with { type: 'text' };
import { databaseFaultOf } from '../session/fault.ts';

/** A step of a database's schema. */
export interface DatabaseStep {
  /** File name in `drizzle/postgres` without the extension. */
  readonly name: string;
  /** Statements, separated by breakpoint comments. */
  readonly sql: string;
  /**
   * Number of steps that a program must know to use a database with this step: 1 for an addition that older programs
   * can ignore.
   */
  readonly worksFrom: number;
}

/** All steps in order. A released step never changes; a later one corrects it. */
export const DATABASE_STEPS: readonly DatabaseStep[] = [
  { name: '0000_checks', sql: checks, worksFrom: 1 },
  { name: '0001_deletions', sql: deletions, worksFrom: 1 },
  { name: '0002_nodes', sql: nodes, worksFrom: 1 },
  { name: '0003_coverage', sql: coverage, worksFrom: 1 },
  { name: '0004_servers', sql: servers, worksFrom: 1 },
  { name: '0005_upkeep', sql: upkeep, worksFrom: 1 },
  { name: '0006_deciding_host', sql: deciding, worksFrom: 1 },
  { name: '0007_node_prints', sql: prints, worksFrom: 1 },
  { name: '0008_shared', sql: shared, worksFrom: 1 },
  { name: '0009_shared_files', sql: sharedFiles, worksFrom: 1 },
  { name: '0010_feedback', sql: feedback, worksFrom: 1 },
  { name: '0011_decided_by', sql: decidedBy, worksFrom: 1 },
  { name: '0012_list_hits', sql: listHits, worksFrom: 1 },
  { name: '0013_domain_columns', sql: domains, worksFrom: 14 },
  { name: '0014_decisions', sql: decisions, worksFrom: 1 },
  { name: '0015_messages', sql: messages, worksFrom: 1 },
  { name: '0016_missing_checks', sql: missingChecks, worksFrom: 1 },
];

/** Minimum number of steps of a database that this program supports. */
export const OLDEST_SCHEMA = 16;

/** Schema state of a database. */
export interface SchemaState {
  /** Number of applied steps; 0 for a database without tables of lurecheck. */
  readonly version: number;
  /** Number of steps that a program must know to use it. */
  readonly worksFrom: number;
  readonly sha256: readonly string[];
}

/** Reads the schema state of a database. */
export async function readSchema(sql: SQL): Promise<SchemaState> {
  try {
    const rows: { sha256: string; works_from: number }[] = await sql.unsafe(
      'select sha256, works_from from schema_steps order by step',
    );
    const worksFrom = Math.max(0, ...rows.map((row) => row.works_from));
    return { version: rows.length, worksFrom, sha256: rows.map((row) => row.sha256) };
  } catch (error) {
    if (isMissing(error)) return { version: 0, worksFrom: 0, sha256: [] };
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return databaseFaultOf(error) !== null && error instanceof Error && 'errno' in error && error.errno === '42P01';
}

/**
 * Checks that this program can use a database.
 *
 * @param oldest number of steps that the database must have
 * @throws StoreError `older_version`, `newer_version` or `unknown_history` with what to do if it cannot
 */
export function checkSchema(
  state: SchemaState,
  steps: readonly DatabaseStep[] = DATABASE_STEPS,
  oldest = OLDEST_SCHEMA,
): void {
  const { version, worksFrom } = state;
  const known = steps.slice(0, version).map(({ sql }) => sha256(sql));
  if (known.some((hash, step) => hash !== state.sha256[step])) {
    throw new StoreError('unknown_history', 'The database has a schema that no release of lurecheck made.');
  }
  if (version < Math.min(oldest, steps.length)) {
    throw new StoreError(
      'older_version',
      `The database has the schema ${version}, and this version of lurecheck works with ${OLDEST_SCHEMA} to ${steps.length}. Its owner must run lurecheck database migrate.`,
    );
  }
  if (worksFrom > steps.length) {
    throw new StoreError(
      'newer_version',
      `The database has the schema ${version}, which needs a version of lurecheck that supports schema ${worksFrom}; this version supports ${steps.length}. Use a newer version.`,
    );
  }
}

/** Returns the hash that identifies a step. */
export function sha256(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex');
}
