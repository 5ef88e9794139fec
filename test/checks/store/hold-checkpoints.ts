import { Database } from 'bun:sqlite';

/** Reads a log for as long as it is not disposed of: what is committed meanwhile stays in the write-ahead log. */
export function holdCheckpoints(path: string): Disposable {
  const reader = new Database(path, { readonly: true });
  reader.run('begin');
  reader.query('select count(*) from checks').get();
  return { [Symbol.dispose]: () => reader.close() };
}
