import { cp, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const ROOT = join(import.meta.dir, '../..');

/** Not copied: the history, what is made of the tree, and the logs of a service that was started in it. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'dist', 'data']);

type JsonParts = Record<string, Record<string, unknown>>;

/** The tree once more, in a folder that is deleted with it. */
export interface TreeCopy extends AsyncDisposable {
  read(file: string): Promise<string>;
  write(file: string, text: string): Promise<void>;
  append(file: string, text: string): Promise<void>;
  /** Throws if the file does not match. */
  replace(file: string, from: RegExp, to: string): Promise<void>;
  editJson(file: string, edit: (json: JsonParts) => void): Promise<void>;
  /** Begins to note what files hold before they are written; returns what restores them. */
  mark(): () => Promise<void>;
  /** Runs Bun in the copy. */
  run(...args: string[]): Promise<{ readonly stdout: string; readonly stderr: string; readonly exitCode: number }>;
  /** The files that were written. */
  readonly changed: ReadonlySet<string>;
  readonly path: string;
}

/** Copies the tree; the packages are those of the original. */
export async function copyTree(): Promise<TreeCopy> {
  const folder = temporaryDirectory();
  await cp(ROOT, folder.path, { recursive: true, filter: (path) => !LEFT_OUT.has(relative(ROOT, path)) });
  await symlink(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
  const changed = new Set<string>();
  let noted = new Map<string, string>();
  const read = async (file: string) => await Bun.file(join(folder.path, file)).text();
  const write = async (file: string, text: string) => {
    if (await Bun.file(join(folder.path, file)).exists()) noted.getOrInsert(file, await read(file));
    await Bun.write(join(folder.path, file), text);
    changed.add(file);
  };
  return {
    path: folder.path,
    changed,
    read,
    write,
    async replace(file, from, to) {
      const text = await read(file);
      if (!from.test(text)) throw new Error(`${file} does not match ${from}`);
      await write(file, text.replace(from, to));
    },
    append: async (file, text) => await write(file, (await read(file)) + text),
    async editJson(file, edit) {
      const json = JSON.parse(await read(file));
      edit(json);
      await write(file, `${JSON.stringify(json, null, 2)}\n`);
    },
    mark() {
      noted = new Map();
      return async () => {
        for (const [file, text] of noted) await Bun.write(join(folder.path, file), text);
      };
    },
    async run(...args) {
      const how = { cwd: folder.path, stdout: 'pipe', stderr: 'pipe', env: {} } as const;
      const child = Bun.spawn([process.execPath, ...args], how);
      const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      return { stdout, stderr, exitCode };
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
