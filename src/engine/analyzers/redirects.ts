import { forwarderOf } from '#src/core/knowledge/hosts/forwarding/forwarders.ts';
import type { HostFact, HostKind } from '#src/core/knowledge/hosts/host-kinds.ts';
import { PUBLISHING_MAIL_TOOLS } from '#src/core/knowledge/hosts/page-hosts.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { unwrap } from '#src/core/unwrap/unwrap.ts';
import { chosenName } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { asksSomething, contentOf } from '#src/network/html/shown-content.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import { type Analyzer, type Feature, feature } from './analyzer.ts';
import type { AnalyzedPage } from './page.ts';

/** Types that a browser shows without a way on; of all others, a visit sees nothing. */
const INERT_TYPE =
  /^\s*(?:image\/(?!svg)|audio\/|video\/|font\/|text\/(?!html|xml)|application\/(?:json|javascript)\b)/i;

/**
 * Returns the host at which a visit ended before it saw what a person would see; null if it came to its end. The visit
 * may have stopped at a redirect, at a bot challenge, at a file that is not read, or at a page that leads on by itself.
 *
 * @param isChallenge true if another page answered instead of the site's own; an empty one leads nowhere.
 */
function unfollowedHost(visit: PageVisit, isChallenge: boolean): string | null {
  if (hasStopped(visit) || (isChallenge && !isBlank(visit)) || isUnreadFile(visit)) return hostIn(visit.finalUrl);
  const leading = [...visit.passed, visit].find(leadsOnUnread);
  return leading ? hostIn(leading.finalUrl) : null;
}

/** Returns true if a page takes its visitors to what was not fetched, or shows it in a frame that fills the page. */
export function leadsOnUnread({ exits, document }: Pick<PageVisit, 'exits' | 'document'>): boolean {
  if (document === null) return false;
  const { isShort } = contentOf(document);
  const mayBeSent = isShort || !document.forms.some(asksSomething);
  return exits.some(({ how }) => how === 'frame' || (how === 'form' && mayBeSent) || (how === 'script' && isShort));
}

/** The end of the parser's budget is a fact about the page. */
function hasStopped({ stopped }: PageVisit): boolean {
  return stopped !== null && stopped.code !== 'parser_budget_exceeded';
}

function isUnreadFile({ document, statusCode, contentLength, headers }: PageVisit): boolean {
  return document === null && statusCode < 400 && contentLength > 0 && !INERT_TYPE.test(headers['content-type'] ?? '');
}

function isBlank({ document }: PageVisit): boolean {
  if (document === null || document.title !== null) return false;
  const { isBare, unread } = contentOf(document);
  return isBare && unread === null;
}

function hostIn(url: string): string | null {
  const target = parseTarget(url);
  return isTargetProblem(target) ? null : target.host.text;
}

const FEATURES = [
  'redirects.lands_on_other_site',
  'redirects.lands_on_address',
  'redirects.lands_on_open_platform',
  'redirects.through_shortener',
  'redirects.through_many_sites',
  'redirects.long_chain',
  'redirects.falls_back_to_http',
  'redirects.end_unseen',
  'redirects.not_followed',
] as const;

type Name = (typeof FEATURES)[number];

/** Hosts through which anybody can forward visitors. */
const FORWARDERS: ReadonlySet<HostKind> = new Set(['shortener', 'redirector', 'mail_tool']);
/** Platforms on which anybody can publish at once. */
const OPEN_PLATFORMS: ReadonlySet<HostKind> = new Set<HostKind>([
  'tunnel',
  'dynamic_dns',
  'ipfs_gateway',
  'free_hosting',
  'builder',
  'app',
  'storage',
  'form',
]);
/** Minimum number of sites in a chain, first and last included, that counts as many. */
const MANY_SITES = 3;
/** A scheme upgrade and a `www` are two redirects; at most five are followed. */
const USUAL_HOPS = 2;
const MOST_HOPS = 5;

/** Input of the redirects analyzer. */
export interface RedirectsSubject {
  readonly target: Target;
  readonly observations: Pick<Observations, 'page'>;
  readonly knowledge: Pick<Knowledge, 'hostFact'>;
  /** The page on which the visit ended; null if none was read. */
  readonly page: Pick<AnalyzedPage, 'isStandIn'> | null;
}

/** Classifies the redirects from the link to the page on which it ends. */
export const redirectsAnalyzer: Analyzer<'redirects', RedirectsSubject, Name> = {
  component: 'redirects',
  features: FEATURES,
  analyze({ target, observations: { page: visited }, knowledge, page }) {
    if (visited.state !== 'observed') {
      const unseen = endUnseen([target], knowledge);
      return unseen.length === 0 ? null : { features: unseen, terms: [] };
    }
    const { redirects } = visited.value;
    // The last location counts even if it was unreachable: visitors are sent there.
    const stops = [target, ...redirects.flatMap((hop) => readStop(hop.location))];
    const ofSteps = redirects.length === 0 ? [] : redirectFeatures(stops, redirects.length, knowledge);
    const host = unfollowedHost(visited.value, page?.isStandIn ?? false);
    const notFollowed = host === null ? [] : [feature('redirects.not_followed', 1, { host })];
    return { features: [...ofSteps, ...endUnseen(stops, knowledge), ...notFollowed], terms: [] };
  },
};

/**
 * Returns the evidence that a visit ended at a forwarder, whatever it answered: the target of the link is unknown, so it
 * is not harmless. None for the home page of the service, and if the URL itself names the target.
 */
function endUnseen(stops: readonly Target[], { hostFact }: RedirectsSubject['knowledge']): Feature<Name>[] {
  const isForwarder = ({ host, path }: Target) => {
    if (forwarderOf(host.text, path) !== null) return true;
    const fact = hostFact(host);
    return fact !== null && isOneOf(FORWARDERS, fact) && !PUBLISHING_MAIL_TOOLS.has(fact.domain);
  };
  const last = stops.at(-1);
  if (!last || !isForwarder(last) || unwrap(last).length > 0) return [];
  if (!stops.some((stop) => stop.path !== '/' && isForwarder(stop))) return [];
  const shortener = last.host.text;
  const isShortener = hostFact(last.host)?.kind === 'shortener';
  return [feature('redirects.end_unseen', 1, isShortener ? { shortener } : { kind: 'forwards', shortener })];
}

function redirectFeatures(
  stops: readonly Target[],
  hops: number,
  knowledge: Pick<Knowledge, 'hostFact'>,
): Feature<Name>[] {
  const features: Feature<Name>[] = [];
  const [first, last] = [stops[0], stops.at(-1)];
  if (!first || !last) return features;

  const forwarder = stops.slice(0, -1).find((stop) => isOneOf(FORWARDERS, knowledge.hostFact(stop.host)));
  if (forwarder) {
    features.push(feature('redirects.through_shortener', 1, { shortener: forwarder.host.text }));
  }
  if (last.host.site !== first.host.site) {
    if (last.host.kind !== 'name') {
      features.push(feature('redirects.lands_on_address', 1, { address: last.host.text }));
    } else if (!forwarder && chosenName(last.host) !== chosenName(first.host)) {
      features.push(feature('redirects.lands_on_other_site', 1, { named: first.host.site, site: last.host.site }));
    }
    if (isOneOf(OPEN_PLATFORMS, knowledge.hostFact(last.host)) && knowledge.hostFact(first.host) === null) {
      features.push(feature('redirects.lands_on_open_platform', 1, { host: last.host.text }));
    }
  }
  const sites = new Set(stops.map((stop) => stop.host.site)).size;
  if (sites >= MANY_SITES) features.push(feature('redirects.through_many_sites', 1, { sites }));
  if (hops > USUAL_HOPS) {
    const value = Math.min((hops - USUAL_HOPS) / (MOST_HOPS - USUAL_HOPS), 1);
    features.push(feature('redirects.long_chain', value, { redirects: hops }));
  }
  const fall = stops.find((stop, i) => stop.scheme === 'http' && stops[i - 1]?.scheme === 'https');
  if (fall) features.push(feature('redirects.falls_back_to_http', 1, { host: fall.host.text }));
  return features;
}

function isOneOf(kinds: ReadonlySet<HostKind>, fact: HostFact | null): boolean {
  return fact !== null && kinds.has(fact.kind);
}

function readStop(url: string | null): Target[] {
  const target = url === null ? null : parseTarget(url);
  return target === null || isTargetProblem(target) ? [] : [target];
}
