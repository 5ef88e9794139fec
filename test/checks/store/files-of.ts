import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The bytes of every file in a directory, by name. Another process reads them: to open and close a database file beside
 * SQLite would drop this process's locks on it.
 */
export function filesOf(directory: string): Map<string, Buffer> {
  return new Map(
    readdirSync(directory).map((name) => [name, Buffer.from(Bun.spawnSync(['cat', join(directory, name)]).stdout)]),
  );
}

/** The names of the files that hold a text, in UTF-8 or UTF-16. */
export function filesWith(directory: string, text: string): string[] {
  return filesWithAny(directory, [Buffer.from(text), Buffer.from(text, 'utf16le')]);
}

/**
 * Names of the main files of the logs that contain the text, sorted. A log is its main file and its write-ahead log; which
 * of the two holds the text at a given moment depends on when a checkpoint ran.
 */
export function logsWith(directory: string, text: string): string[] {
  return [...new Set(filesWith(directory, text).map((name) => name.replace(/-wal$/, '')))].sort();
}

/** The names of the files that hold some of these bytes. */
export function filesWithAny(directory: string, forms: readonly Buffer[]): string[] {
  return [...filesOf(directory)]
    .filter(([, bytes]) => forms.some((form) => bytes.includes(form)))
    .map(([name]) => name);
}
