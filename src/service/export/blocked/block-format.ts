import type { WriteBlockList } from './block-list.ts';

/** The formats in which resolvers, proxies and browsers are told what is blocked. */
export const BLOCK_FORMATS = ['rpz', 'hosts', 'squid', 'adblock', 'stix', 'plain'] as const;

/** One of {@link BLOCK_FORMATS}. */
export type BlockFormat = (typeof BLOCK_FORMATS)[number];

/** What writes a format; it is loaded for nobody else. */
const WRITERS: Readonly<Record<BlockFormat, () => Promise<WriteBlockList>>> = {
  rpz: async () => (await import('./rpz.ts')).writeRpz,
  hosts: async () => (await import('./hosts-file.ts')).writeHostsFile,
  squid: async () => (await import('./squid-acl.ts')).writeSquidAcl,
  adblock: async () => (await import('./adblock-rules.ts')).writeAdblockRules,
  stix: async () => (await import('./stix-indicators.ts')).writeStixIndicators,
  plain: async () => (await import('./plain-list.ts')).writePlainList,
};

/** What writes a format. */
export function blockListWriter(format: BlockFormat): Promise<WriteBlockList> {
  return WRITERS[format]();
}
