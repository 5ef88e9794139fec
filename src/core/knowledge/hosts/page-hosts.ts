import { objectWith } from '#src/core/base/guard.ts';
import { isNameLines, readFacts, wordsIn } from '../fact-file.ts';
import { type HostSet, hostSet } from './host-set.ts';
import file from './page-hosts.json' with { type: 'json' };

const isHosts = objectWith({
  formServices: isNameLines,
  signOnServices: isNameLines,
  sharedServers: isNameLines,
  linkedByAll: isNameLines,
});

const { formServices, signOnServices, sharedServers, linkedByAll } = readFacts('page-hosts.json', file, isHosts);

/** Hosts that collect forms for anybody, and that no login of an organisation posts to. */
export const FORM_SERVICES: HostSet = hostSet(wordsIn(formServices));

/** Services that other organisations let people sign in by: posting to one is what single sign-on does. */
export const SIGN_ON_SERVICES: HostSet = hostSet(wordsIn(signOnServices));

/** Hosts of brands that serve pages of other sites: content from them is no evidence. */
export const SHARED_SERVERS: HostSet = hostSet(wordsIn(sharedServers));

/** Hosts that everybody links to. */
export const WIDELY_LINKED_HOSTS: HostSet = hostSet(wordsIn(linkedByAll));
