import checks from '../../../../drizzle/sql/0000_checks.sql' with { type: 'text' };
import exported from '../../../../drizzle/sql/0001_exports.sql' with { type: 'text' };
import coverage from '../../../../drizzle/sql/0002_coverage.sql' with { type: 'text' };
import deciding from '../../../../drizzle/sql/0003_deciding_host.sql' with { type: 'text' };
import decidedBy from '../../../../drizzle/sql/0004_decided_by.sql' with { type: 'text' };
import messages from '../../../../drizzle/sql/0005_messages.sql' with { type: 'text' };

/** A step of the schema. */
export interface Migration {
  /** File name in `drizzle/sql` without the extension. */
  readonly name: string;
  /** Statements, separated by drizzle-kit's breakpoint comments. */
  readonly sql: string;
}

/** All steps in order. A released step never changes; a later one corrects it. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0000_checks', sql: checks },
  { name: '0001_exports', sql: exported },
  { name: '0002_coverage', sql: coverage },
  { name: '0003_deciding_host', sql: deciding },
  { name: '0004_decided_by', sql: decidedBy },
  { name: '0005_messages', sql: messages },
];
