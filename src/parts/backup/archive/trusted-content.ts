import { readConfiguredBrandsFile } from '#src/admin/active/configured-brands-file.ts';
import { readModelChoice } from '#src/admin/active/installed-models.ts';
import { readPackState } from '#src/admin/active/pack-state.ts';
import { readKeyFile } from '#src/admin/keys/key-file.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { readListState } from '#src/network/lists/stored/list-state.ts';

/** More items of one kind are counted, not named. */
const MAX_NAMED = 20;

/** Content of a data directory that grants trust, by kind. */
const KINDS: readonly (readonly [string, (folder: string) => Promise<readonly string[]>])[] = [
  ['keys', async (folder) => readKeyFile(folder).map(({ name, scopes }) => `${name} (${scopes.join(', ')})`)],
  [
    'publishers',
    async (folder) =>
      readPackState(folder).publishers.map(
        ({ name, fingerprint, revoked }) => `${name} ${fingerprint}${revoked === null ? '' : ' (revoked)'}`,
      ),
  ],
  [
    'lists',
    async (folder) =>
      (await readListState(folder)).lists.map(({ name, action, entries }) => `${name} (${action}, ${entries})`),
  ],
  ['brands', async (folder) => readConfiguredBrandsFile(folder).map(({ name }) => name)],
  ['model', async (folder) => [(await readModelChoice(folder)).version].filter((version) => version !== null)],
];

/**
 * Returns what the files of a data directory would have this installation trust, one kind per line: API keys, publishers of
 * packs, lists, brands and the model. Names are untrusted.
 */
export async function trustedContentIn(folder: string): Promise<string[]> {
  return await Promise.all(KINDS.map(async ([kind, read]) => `${kind}: ${await named(folder, read)}`));
}

async function named(folder: string, read: (folder: string) => Promise<readonly string[]>): Promise<string> {
  try {
    const names = await read(folder);
    const more = names.length > MAX_NAMED ? [`${names.length - MAX_NAMED} more`] : [];
    return [...names.slice(0, MAX_NAMED), ...more].join(', ') || 'none';
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return 'an unreadable file';
  }
}
