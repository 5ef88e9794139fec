import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory that goes away with the test. */
export function temporaryDirectory(): AsyncDisposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'lurecheck-'));
  return {
    path,
    [Symbol.asyncDispose]: () => {
      rmSync(path, { recursive: true, force: true });
      return Promise.resolve();
    },
  };
}
