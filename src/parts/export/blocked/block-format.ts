import type { WriteBlockList } from './block-list.ts';

/** Export formats of blocked entries for resolvers, proxies and browsers. */
export const BLOCK_FORMATS = [
  'rpz',
  'hosts',
  'squid',
  'adblock',
  'domains',
  'urls',
  'addresses',
  'stix',
  'plain',
] as const;

/** One of {@link BLOCK_FORMATS}. */
export type BlockFormat = (typeof BLOCK_FORMATS)[number];

/** Writers, loaded on demand. */
const WRITERS: Readonly<Record<BlockFormat, () => Promise<WriteBlockList>>> = {
  rpz: async () => (await import('./rpz.ts')).writeRpz,
  hosts: async () => (await import('./plain-lists.ts')).writeHostsFile,
  squid: async () => (await import('./squid-acl.ts')).writeSquidAcl,
  adblock: async () => (await import('./adblock-rules.ts')).writeAdblockRules,
  stix: async () => (await import('./stix-indicators.ts')).writeStixIndicators,
  plain: async () => (await import('./plain-lists.ts')).writePlainList,
  domains: async () => (await import('./plain-lists.ts')).writeDomains,
  urls: async () => (await import('./plain-lists.ts')).writeUrls,
  addresses: async () => (await import('./plain-lists.ts')).writeAddresses,
};

/** Returns the writer of a format. */
export function blockListWriter(format: BlockFormat): Promise<WriteBlockList> {
  return WRITERS[format]();
}
