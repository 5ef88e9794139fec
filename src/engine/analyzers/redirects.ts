import type { HostFact, HostKind } from '#src/core/knowledge/hosts/host-kinds.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import { chosenName } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { Analyzer, Evidence, Feature } from './analyzer.ts';

const FEATURES = [
  'redirects.lands_on_other_site',
  'redirects.lands_on_address',
  'redirects.lands_on_open_platform',
  'redirects.through_shortener',
  'redirects.through_many_sites',
  'redirects.long_chain',
  'redirects.falls_back_to_http',
  'redirects.end_unseen',
] as const;

type Name = (typeof FEATURES)[number];

/** Hosts that anybody can send visitors through. */
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
/** The sites of a chain, the first and the last included, from which on there are many. */
const MANY_SITES = 3;
/** A scheme upgrade and a `www` make two redirects; five is all that is followed. */
const USUAL_HOPS = 2;
const MOST_HOPS = 5;

/** What the analyzer looks at. */
export interface RedirectsSubject {
  readonly target: Target;
  readonly observations: Pick<Observations, 'page'>;
  readonly knowledge: Pick<Knowledge, 'hostFact'>;
}

/** Judges the way from the link to the page on which it ends. */
export const redirectsAnalyzer: Analyzer<'redirects', RedirectsSubject, Name> = {
  component: 'redirects',
  features: FEATURES,
  analyze({ target, observations: { page }, knowledge }) {
    if (page.state !== 'observed') return judgeUnseen(target, knowledge);
    const { redirects } = page.value;
    // The last one counts also where it could not be reached: it is where the link sends a visitor.
    const stops = [target, ...redirects.flatMap((hop) => readStop(hop.location))];
    return { features: redirects.length === 0 ? [] : judge(stops, redirects.length, knowledge), terms: [] };
  },
};

/** A link that leads elsewhere by its very purpose is no harmless one as long as nobody has looked where. */
function judgeUnseen({ host, path }: Target, { hostFact }: RedirectsSubject['knowledge']): Evidence<Name> | null {
  if (path === '/' || hostFact(host)?.kind !== 'shortener') return null;
  const message = `${host.text} shortens links, and where this one leads was not seen`;
  return { features: [{ name: 'redirects.end_unseen', value: 1, message }], terms: [] };
}

function judge(stops: readonly Target[], hops: number, knowledge: Pick<Knowledge, 'hostFact'>): Feature<Name>[] {
  const features: Feature<Name>[] = [];
  const add = (name: Name, value: number, message: string) => features.push({ name, value, message });
  const [first, last] = [stops[0], stops.at(-1)];
  if (!first || !last) return features;

  const forwarder = stops.slice(0, -1).find((stop) => isOneOf(FORWARDERS, knowledge.hostFact(stop.host)));
  if (forwarder) {
    add('redirects.through_shortener', 1, `The link goes through ${forwarder.host.text}, which hides where it leads`);
  }
  if (last.host.site !== first.host.site) {
    if (last.host.kind !== 'name') {
      add('redirects.lands_on_address', 1, `The link ends on a bare address, ${last.host.text}`);
    } else if (!forwarder && chosenName(last.host) !== chosenName(first.host)) {
      add('redirects.lands_on_other_site', 1, `The link names ${first.host.site} and ends on ${last.host.site}`);
    }
    if (isOneOf(OPEN_PLATFORMS, knowledge.hostFact(last.host)) && knowledge.hostFact(first.host) === null) {
      add('redirects.lands_on_open_platform', 1, `The link ends on ${last.host.text}, where anybody can publish`);
    }
  }
  const sites = new Set(stops.map((stop) => stop.host.site)).size;
  if (sites >= MANY_SITES) add('redirects.through_many_sites', 1, `The link goes through ${sites} different sites`);
  if (hops > USUAL_HOPS) {
    const value = Math.min((hops - USUAL_HOPS) / (MOST_HOPS - USUAL_HOPS), 1);
    add('redirects.long_chain', value, `The link is redirected ${hops} times`);
  }
  const fall = stops.find((stop, i) => stop.scheme === 'http' && stops[i - 1]?.scheme === 'https');
  if (fall)
    add('redirects.falls_back_to_http', 1, `The link leaves the encrypted web on its way, at ${fall.host.text}`);
  return features;
}

function isOneOf(kinds: ReadonlySet<HostKind>, fact: HostFact | null): boolean {
  return fact !== null && kinds.has(fact.kind);
}

function readStop(url: string | null): Target[] {
  const target = url === null ? null : parseTarget(url);
  return target === null || isTargetProblem(target) ? [] : [target];
}
