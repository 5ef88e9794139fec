import { isText, mapWith, objectWith } from '#src/core/base/guard.ts';
import { hostOf, suffixesOf } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import { isNameLines, readFacts, wordsIn } from '../../fact-file.ts';
import carrierParametersFile from '../../words/carrier-parameters.json' with { type: 'json' };
import linkFormsFile from './link-forms.json' with { type: 'json' };
import redirectors from './redirectors.json' with { type: 'json' };
import { LINK_WRAPPERS, type LinkWrapper, readWrappers, type WrapperTable, wrapperTable } from './wrapper-table.ts';

/** Parameters that carry where a link leads, at redirectors, log-in pages and link protectors; in lower case. */
export const CARRIER_PARAMETERS: ReadonlySet<string> = new Set(
  wordsIn(readFacts('carrier-parameters.json', carrierParametersFile, isNameLines)),
);

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

const isPatterns = mapWith(isText);
const { senders, platforms, labels, objects } = readFacts(
  'link-forms.json',
  linkFormsFile,
  objectWith({ senders: isPatterns, platforms: isPatterns, labels: isPatterns, objects: isPatterns }),
);

/** Click trackers that a mail service runs on a host of the sender. */
const ON_ANY_HOST = new RegExp(`^(?:${Object.values(senders).join('|')})`);

const BY_PLATFORM = new Map(
  Object.entries(platforms).map(([domain, pattern]) => [domain, new RegExp(`^(?:${pattern})`)] as const),
);

/** Object stores whose labels are written by the program as well, and the hosts that they give. */
const OBJECT_HOSTS = Object.entries(objects).map(
  ([host, pattern]) => [new RegExp(`^(?:${host})$`), new RegExp(`^(?:${pattern})`)] as const,
);

/** Labels, or ends of them, that the services put before the name that somebody chose. */
const LABEL = new RegExp(Object.values(labels).join('|'));

/** A URL, part of which the program of a service wrote. */
interface WrittenUrl {
  /** The URL without that part; null if nobody chose anything of it. */
  readonly chosen: Target | null;
}

/**
 * Recognizes the URLs that the program of a service writes: of the click tracker of a mail service, and of platforms on which
 * people share files. Path and query are no evidence then; a host that somebody chose is, since anybody can have a page at
 * such a path. Null for any other URL.
 */
export function writtenByService(target: Target): WrittenUrl | null {
  const { host, path, query } = target;
  const behind = query === '' ? path : `${path}?${query}`;
  if (OBJECT_HOSTS.some(([hosts, paths]) => hosts.test(host.text) && paths.test(behind))) return { chosen: null };
  const isWritten =
    ON_ANY_HOST.test(behind) || suffixesOf(host).some((name) => BY_PLATFORM.get(name)?.test(behind) === true);
  if (!isWritten) return null;
  const name = host.text.replace(LABEL, '');
  return { chosen: { ...target, host: name === host.text ? host : hostOf(name), path: '/', query: '' } };
}
