import type { Database, SQLQueryBindings } from 'bun:sqlite';
import type { Column } from 'drizzle-orm';
import type { Statement, StatementName, StatementRow, StatementValues } from './build-statements.ts';
import written from './statements.json' with { type: 'json' };

/** Statements by their names. */
export type Statements = Readonly<Record<StatementName, Statement>>;

/** A statement whose values are bound by their names, so that no two of one type can change places. */
export interface NamedStatement<Row, Values extends object> {
  get(values: Values): Row | null;
  all(values: Values): Row[];
  /** Returns the id of the row that was inserted last. */
  run(values: Values): number;
}

/**
 * Prepares a statement for the life of the file.
 *
 * @param columns whose values are in the type of the schema; the others are bound unchanged
 */
export function prepareNamed<Name extends StatementName>(
  database: Database,
  statementName: Name,
  columns: Partial<Readonly<Record<string, Column>>> = {},
  statements: Statements = written,
): NamedStatement<StatementRow<Name>, StatementValues<Name>> {
  const { text, names } = statements[statementName];
  const statement = database.query<StatementRow<Name>, SQLQueryBindings[]>(text);
  const places = names.map((name) => ({ name, column: columns[name] }));
  const inOrder = (values: StatementValues<Name>) =>
    places.map(({ name, column }) => {
      const value = (values as Readonly<Record<string, unknown>>)[name];
      return (column === undefined || value === null ? value : column.mapToDriverValue(value)) as SQLQueryBindings;
    });
  return {
    get: (values) => statement.get(...inOrder(values)),
    all: (values) => statement.all(...inOrder(values)),
    run: (values) => Number(statement.run(...inOrder(values)).lastInsertRowid),
  };
}
