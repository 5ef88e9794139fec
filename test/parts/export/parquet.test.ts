import { expect, test } from 'bun:test';
import { tableFromIPC } from '@uwdata/flechette';
import { readParquet } from 'parquet-wasm/node';
import type { LogEntry } from '#src/checks/store/scan-log.ts';
import { EXPORT_COLUMNS } from '#src/parts/export/columns.ts';
import { writeParquet } from '#src/parts/export/parquet.ts';
import { bytesOf, entryOf, reading, unreadEntryOf } from './entries.ts';

/** The table in a file, as Apache Arrow's own implementation of Parquet reads it. */
function readTable(file: Uint8Array) {
  return tableFromIPC(readParquet(file).intoIPCStream(), { useDate: true });
}

const cellsOf = (entry: LogEntry) =>
  Object.fromEntries(
    EXPORT_COLUMNS.map(({ name, type, cell }) => {
      const value = cell(entry);
      return [name, type === 'moment' && value !== null ? new Date(String(value)) : value];
    }),
  );

test('another library reads every cell unchanged, including unknown values and a formula', async () => {
  const entries = [
    entryOf({ details: { brand: { name: '=1+1,"\u202e\n', confidence: 1, domains: [] }, status_code: 404 } }),
    entryOf({ url: 'https://xn--bcher-kva.example/?q=%F0%9F%8E%A3', result: { malicious_probability: 1 / 3 } }, false),
    unreadEntryOf({ result: { decision: 'block' } }),
    ...Array.from({ length: 25_000 }, (_, index) =>
      entryOf({ url: `http://a${index}.example/`, atMs: 1_700_000_000_000 + index }),
    ),
  ];
  const table = readTable(await bytesOf(writeParquet(reading(entries))));
  expect(table.names).toEqual(EXPORT_COLUMNS.map(({ name }) => name));
  const rows = table.toArray();
  expect(rows).toHaveLength(entries.length);
  expect(rows.slice(0, 3)).toEqual(entries.slice(0, 3).map(cellsOf));
  for (const [index, row] of rows.entries()) {
    const { result } = entries[index] ?? {};
    if (row['url'] !== result?.url || row['request_id'] !== result?.request_id) throw new Error(`row ${index} differs`);
  }
});

test('an empty log results in a table without rows', async () => {
  const table = readTable(await bytesOf(writeParquet(reading([]))));
  expect([table.numRows, table.names.length]).toEqual([0, EXPORT_COLUMNS.length]);
});
