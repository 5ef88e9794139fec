import type { LocalLists } from './local-lists.ts';

/** Characters of the version: enough to distinguish the lists of some nodes. */
const SHOWN = 12;

/** Returns a digest of the contents of all lists, and the names of stored lists; empty if there are none. */
export function listsVersion({ block, allow, stored }: LocalLists): string {
  const prints = [
    ...block.map(({ index }) => `block ${index.digest}`),
    ...allow.map(({ index }) => `allow ${index.digest}`),
    ...stored.map(({ version: { action, weight, name, sha256 } }) => `${action} ${weight} ${name} ${sha256}`),
  ];
  return prints.length === 0
    ? ''
    : new Bun.CryptoHasher('sha256').update(prints.toSorted().join('\n')).digest('hex').slice(0, SHOWN);
}
