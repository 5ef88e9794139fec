import { objectWith } from '#src/core/base/guard.ts';
import { type Host, suffixesOf } from '#src/core/url/host.ts';
import { isNameLines, readFacts, wordsIn } from '../fact-file.ts';
import frontEndsFile from './front-ends.json' with { type: 'json' };
import pageHostsFile from './page-hosts.json' with { type: 'json' };
import publishingMailToolsFile from './publishing-mail-tools.json' with { type: 'json' };

/** Listed names of mail tools whose links may lead to pages of their customers, and not on. */
export const PUBLISHING_MAIL_TOOLS: ReadonlySet<string> = new Set(
  wordsIn(readFacts('publishing-mail-tools.json', publishingMailToolsFile, isNameLines)),
);

const isHosts = objectWith({
  formServices: isNameLines,
  signOnServices: isNameLines,
  sharedServers: isNameLines,
  linkedByAll: isNameLines,
});

const { formServices, signOnServices, sharedServers, linkedByAll } = readFacts(
  'page-hosts.json',
  pageHostsFile,
  isHosts,
);

/** Hosts that collect forms for anybody, and that no login of an organisation posts to. */
export const FORM_SERVICES: HostSet = hostSet(wordsIn(formServices));

/** Services that other organisations let people sign in by: posting to one is what single sign-on does. */
export const SIGN_ON_SERVICES: HostSet = hostSet(wordsIn(signOnServices));

/** Hosts of brands that serve pages of other sites: content from them is no evidence. */
export const SHARED_SERVERS: HostSet = hostSet(wordsIn(sharedServers));

/** Hosts that everybody links to. */
export const WIDELY_LINKED_HOSTS: HostSet = hostSet(wordsIn(linkedByAll));

/** Hosts, each with everything under it. */
interface HostSet {
  has(host: Host): boolean;
}

/** Makes a set of domains. */
export function hostSet(domains: readonly string[]): HostSet {
  const known = new Set(domains);
  return { has: (host) => suffixesOf(host).some((name) => known.has(name)) };
}

const FRONT_ENDS = new Set(wordsIn(readFacts('front-ends.json', frontEndsFile, isNameLines)));

/** Returns true for the name of a service whose pages others show on subdomains of their own (`reddit.example.org`). */
export function hasFrontEnds(name: string): boolean {
  return FRONT_ENDS.has(name);
}
