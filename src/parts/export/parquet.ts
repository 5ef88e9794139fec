import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { LogEntry } from '#src/checks/store/scan-log.ts';
import { VERSION } from '#src/core/base/version.ts';
import { EXPORT_COLUMNS, type ExportColumn } from './columns.ts';

/** Rows buffered and written as one row group: some megabytes. */
const GROUP_ROWS = 10_000;

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

/** Parquet types by kind of column. */
const ELEMENTS: Readonly<Record<ExportColumn['type'], Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  number: { type: 'DOUBLE' },
  moment: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  flag: { type: 'BOOLEAN' },
};

/** The table of checks as Apache Parquet. What is not known of a check is null. Cells are as they are: none is shown by a spreadsheet. */
export async function* writeParquet(entries: AsyncIterable<LogEntry>): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  const file = new ParquetWriter({
    writer: bytes,
    schema: [
      { name: 'checks', num_children: EXPORT_COLUMNS.length },
      ...EXPORT_COLUMNS.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL' as const, ...ELEMENTS[type] })),
    ],
    createdBy: `lurecheck ${VERSION}`,
  });
  /** Takes the bytes written since the last call. */
  const taken = () => {
    const piece = bytes.getBytes().slice();
    bytes.index = 0;
    return piece;
  };
  for await (const group of inGroups(entries)) {
    const columnData = EXPORT_COLUMNS.map((column) => ({
      name: column.name,
      data: group.map((entry) => cellOf(column, entry)),
    }));
    await file.write({ columnData, rowGroupSize: GROUP_ROWS });
    yield taken();
  }
  await file.finish();
  yield file.num_rows === 0n ? withListOfGroups(taken()) : taken();
}

/**
 * Bytes in the footer of a file without rows (Thrift compact protocol): the row count 0, then a list without a type.
 */
const NO_ROWS_NO_TYPE = Buffer.from([0x16, 0x00, 0x19, 0x00]);

/** The library gives an empty list no type. Strict readers refuse that: it is one of row groups, which are structs. */
function withListOfGroups(footer: Uint8Array): Uint8Array {
  const list = Buffer.from(footer).lastIndexOf(NO_ROWS_NO_TYPE);
  return list < 0 ? footer : footer.with(list + NO_ROWS_NO_TYPE.length - 1, 0x0c);
}

async function* inGroups(entries: AsyncIterable<LogEntry>): AsyncGenerator<LogEntry[]> {
  let group: LogEntry[] = [];
  for await (const entry of entries) {
    group.push(entry);
    if (group.length < GROUP_ROWS) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

function cellOf(column: ExportColumn, entry: LogEntry): string | number | boolean | Date | null {
  const value = column.cell(entry);
  if (value === null) return null;
  if (column.type === 'moment') return new Date(value.toString());
  return typeof value === 'string' ? value.toWellFormed() : value;
}
