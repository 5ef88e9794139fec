import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { openDatabase } from '#src/checks/store/file/database.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const ROWS = 12_000;
const ROW_BYTES = 1000;
const HELD_BYTES = 4 * 1024 * 1024;

/** Bytes that this process has read from files so far (proc_pid_io(5)). */
function readBytes(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}

test('a connection caches at most 4 MiB', async () => {
  await using directory = temporaryDirectory();
  const path = `${directory.path}/some.sqlite`;
  {
    using made = new Database(path);
    made.run('create table texts (text)');
    const text = 'x'.repeat(ROW_BYTES);
    made.run('insert into texts select ? from json_each(?)', [text, JSON.stringify(Array(ROWS).fill(0))]);
  }
  using database = openDatabase(path);
  const readAll = database.query("select count(*) from texts where text = ''");
  readAll.get();
  const before = readBytes();
  readAll.get();
  expect(readBytes() - before).toBeGreaterThan(ROWS * ROW_BYTES - HELD_BYTES);
});
