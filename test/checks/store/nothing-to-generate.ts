import { expect } from 'bun:test';
import { cpSync, readdirSync } from 'node:fs';
import { relative } from 'node:path';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/** Expects that drizzle-kit finds a schema of the store as its migrations describe it. */
export async function expectNothingToGenerate(schema: string, migrations: string): Promise<void> {
  await using directory = temporaryDirectory();
  const root = `${import.meta.dir}/../../..`;
  cpSync(`${root}/drizzle/${migrations}`, directory.path, { recursive: true });
  const before = readdirSync(directory.path, { recursive: true });
  const options = ['--schema', `./src/checks/store/${schema}`, '--out', relative(root, directory.path)];
  const child = Bun.spawnSync(
    [process.execPath, '--bun', 'node_modules/.bin/drizzle-kit', 'generate', '--dialect', 'sqlite', ...options],
    { cwd: root },
  );
  expect(child.stdout.toString()).toContain('nothing to migrate');
  expect(readdirSync(directory.path, { recursive: true })).toEqual(before);
}
