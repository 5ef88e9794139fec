import { type Column, getTableColumns, type SQL, type SQLWrapper, type Subquery, type Table } from 'drizzle-orm';

declare const VALUE: unique symbol;

/** A column of SQLite or PostgreSQL, by the type of its values. */
export type Field<Value> = Column & { readonly [VALUE]?: Value };

type Fields<Row> = { readonly [Name in keyof Row]-?: Field<Row[Name]> };

/** A table of SQLite or PostgreSQL, by the type of its rows. */
export type TableOf<Row> = Table & Fields<Row>;

/** Returns a table as queries for both databases see it. */
export const tableOf = <Of extends Table>(table: Of) => table as unknown as TableOf<Of['$inferSelect']>;

/** Returns all columns of a table. */
export const columnsOf = <Row>(table: TableOf<Row>) => getTableColumns(table) as unknown as Fields<Row>;

type Selection = Readonly<Record<string, Column | SQL | SQL.Aliased>>;

type ValueOf<Selected> =
  Selected extends SQL<infer Value>
    ? Value
    : Selected extends SQL.Aliased<infer Value>
      ? Value
      : Selected extends { readonly [VALUE]?: infer Value }
        ? Value
        : never;

type RowOf<Selected> = { -readonly [Name in keyof Selected]: ValueOf<Selected[Name]> };

/** A query, which runs when it is awaited. */
export interface Query<Row> extends PromiseLike<Row[]>, SQLWrapper {
  leftJoin(table: Table, on: SQL | undefined): Query<Row>;
  where(condition: SQL | undefined): Query<Row>;
  groupBy(...columns: readonly (Column | SQL | SQL.Aliased)[]): Query<Row>;
  orderBy(...columns: readonly (Column | SQL | SQL.Aliased)[]): Query<Row>;
  limit(rows: number): Query<Row>;
}

/** A change that returns its rows. */
interface Change {
  returning<Selected extends Selection>(columns: Selected): PromiseLike<RowOf<Selected>[]>;
}

/** The builder of queries, as far as Drizzle has the same for SQLite and PostgreSQL. */
export interface Queries {
  select<Selected extends Selection>(
    columns: Selected,
  ): { from(table: Table | Subquery | SQL): Query<RowOf<Selected>> };
  update(table: Table): { set(values: object): { where(condition: SQL | undefined): Change } };
  delete(table: Table): { where(condition: SQL | undefined): Change };
}

/** Returns Drizzle's builder as queries for both databases see it. */
export const queriesOf = (db: object) => db as unknown as Queries;

/** Returns the rows of a query of SQLite at once. */
export const rowsOf = <Row>(query: PromiseLike<Row[]>) => (query as unknown as { all(): Row[] }).all();
