import { isNameLines, readFacts } from '../../fact-file.ts';
import { LINK_WRAPPERS } from './link-wrappers.ts';
import redirectors from './redirectors.json' with { type: 'json' };
import { type LinkWrapper, readWrappers, type WrapperTable, wrapperTable } from './wrapper-table.ts';

const all: readonly LinkWrapper[] = [
  ...LINK_WRAPPERS,
  ...readFacts('redirectors.json', redirectors, isNameLines).flatMap((line) => readWrappers('redirector', null, line)),
];

/**
 * Finds the service that forwards a URL: link protection, a click tracker or a redirector, in one lookup. Shorteners are
 * none: their targets are in no link, and people choose their paths.
 */
export const forwarderOf: WrapperTable = wrapperTable(all);

/** Hosts that do nothing but forward. */
export const FORWARDING_HOSTS: readonly string[] = all
  .filter(({ domain, path }) => path === '' && !domain.includes('*'))
  .map(({ domain }) => domain);
