import { expect, test } from 'bun:test';
import { EXPORT_COLUMNS, type ExportColumn } from '#src/parts/export/columns.ts';

/** Types of ClickHouse that take a column of the Parquet export, null included: a text becomes empty. */
const TYPES: Readonly<Record<ExportColumn['type'], RegExp>> = {
  text: /^(?:String|LowCardinality\(String\))$/,
  number: /^Nullable\(Float64\)$/,
  moment: /^DateTime64\(3, 'UTC'\)$/,
  flag: /^Nullable\(Bool\)$/,
};

test('the table for ClickHouse has the columns of the Parquet export, in their order', async () => {
  const [, table = ''] =
    /^create table checks \(\n([\s\S]*?)\n\)$/m.exec(await Bun.file('.github/SCALE.md').text()) ?? [];
  const columns = table.split(',\n').map((line) => /^ +(\w+) (.*)$/.exec(line)?.slice(1) ?? []);
  expect(columns.map(([name]) => name)).toEqual(EXPORT_COLUMNS.map(({ name }) => name));
  for (const [at, { name, type }] of EXPORT_COLUMNS.entries())
    expect([name, columns[at]?.[1]]).toEqual([name, expect.stringMatching(TYPES[type])]);
});
