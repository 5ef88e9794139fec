import type { LocalLists } from './local-lists.ts';

/** Enough to tell the lists of some nodes apart. */
const SHOWN = 12;

/** The print of the lists by what they say, whatever their files are called (those that are kept are known by their names, too); empty where there are none. */
export function listsVersion({ block, allow, kept }: LocalLists): string {
  const prints = [
    ...block.map(({ index }) => `block ${index.print}`),
    ...allow.map(({ index }) => `allow ${index.print}`),
    ...kept.map(({ version: { action, weight, name, sha256 } }) => `${action} ${weight} ${name} ${sha256}`),
  ];
  return prints.length === 0
    ? ''
    : new Bun.CryptoHasher('sha256').update(prints.toSorted().join('\n')).digest('hex').slice(0, SHOWN);
}
