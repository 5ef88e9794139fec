import { type AddressClass, classifyAddress } from '#src/core/base/addresses/address-class.ts';
import { parseIp } from '#src/core/base/addresses/ip.ts';
import { forwarderOf } from '#src/core/knowledge/hosts/forwarding/forwarders.ts';
import { SPECIAL_TOP_LABELS } from '#src/core/knowledge/hosts/suffixes.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { type Host, impossibleName } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import type { LexicalModel } from '#src/engine/lexical/model.ts';
import { scoreUrl } from '#src/engine/lexical/score.ts';
import type { ArgsOf } from '#src/engine/reasons/reason.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { Analyzer, Feature, Term } from './analyzer.ts';
import type { BrandReading } from './brand.ts';

/** Signals that a person sees at once in a URL of an unknown site. */
const OBVIOUS_SIGNALS = [
  'url.address_as_host',
  'url.homograph_of_brand',
  'url.brand_left_of_domain',
  'url.credentials_before_host',
  'url.impossible_host',
] as const;

type ObviousSignal = (typeof OBVIOUS_SIGNALS)[number];

/** Input of the signals. */
interface ObviousSubject {
  readonly target: Target;
  readonly knowledge: Knowledge;
  readonly brands: BrandReading;
  /** Absent for a URL that was not visited. */
  readonly observations?: Pick<Observations, 'dns'>;
}

/** Addresses of networks that cannot be reached from elsewhere; third parties do not link there. */
const INTRANET: ReadonlySet<AddressClass> = new Set<AddressClass>([
  'private',
  'cgnat',
  'loopback',
  'link-local',
  'unique-local',
  'site-local',
]);

/**
 * Log-odds above those of the base rate that reach the model's threshold for a warning: ln(0.49 / 0.51) − ln(0.05 /
 * 0.95).
 */
const ENOUGH_TO_WARN = 2.91;
/** Minimum added by a signal, so that it is among the reasons, in log-odds. */
const MIN_WEIGHT = 0.3;
/** Log-odds of a signal at value 1, as in `fusion.json`: more than any spelling subtracts. */
const FULL_WEIGHT = 16;

/**
 * Returns the obvious signals of a URL. Together they cancel what the spelling (`terms`) says for the site, and no
 * more, so that the verdict is at least a warning.
 */
export function obviousSignals(subject: ObviousSubject, terms: readonly Term[]): Feature<ObviousSignal>[] {
  const { target, knowledge, brands } = subject;
  if (brands.owner !== null || knowledge.popularityOf(target) !== null || isIntranet(target.host)) return [];
  const signals: Omit<Feature<ObviousSignal>, 'value'>[] = [];
  for (const name of OBVIOUS_SIGNALS) {
    const args = FINDERS[name](subject);
    if (args !== null) signals.push({ name, args });
  }
  if (signals.length === 0) return [];
  const said = terms.reduce((sum, { logOdds }) => sum + logOdds, 0);
  const value = Math.min(1, Math.max((ENOUGH_TO_WARN - said) / signals.length, MIN_WEIGHT) / FULL_WEIGHT);
  return signals.map((signal) => ({ ...signal, value }));
}

/** Finder of each signal: returns the arguments of its sentence; null if the signal is absent. */
const FINDERS: { readonly [Signal in ObviousSignal]: (subject: ObviousSubject) => ArgsOf<Signal> | null } = {
  'url.address_as_host': ({ target: { host } }) => (host.kind === 'name' ? null : { address: host.text }),
  'url.homograph_of_brand': ({ target: { host }, brands }) => {
    const meant =
      host.text.includes('xn--') && brands.findings.find(({ feature }) => feature.name === 'brand.look_alike');
    return meant ? { brand: meant.brand.name } : null;
  },
  'url.brand_left_of_domain': ({ target: { host }, brands }) => {
    if (brands.findings.length === 0) return null;
    const labels = host.subdomain.split('.');
    const left = brands.findings.find(
      ({ brand, feature }) =>
        feature.name === 'brand.domain_in_host' ||
        (feature.name === 'brand.name_in_subdomain' &&
          feature.value === 1 &&
          brand.aliases.some(({ name }) => labels.includes(name))),
    );
    return left ? { brand: left.brand.name, site: host.site } : null;
  },
  'url.credentials_before_host': ({ target: { host, username, hasPassword } }) =>
    username === '' && !hasPassword ? null : { host: host.text },
  'url.impossible_host': ({ target: { host }, observations }) => {
    // A top-level domain may be newer than the list, and an organisation may have one of its own.
    if (observations?.dns.state === 'observed' || impossibleName(host) === null) return null;
    return SPECIAL_TOP_LABELS.has(host.text.slice(host.text.lastIndexOf('.') + 1)) ? null : { host: host.text };
  },
};

function isIntranet({ kind, text }: Host): boolean {
  const ip = kind === 'name' ? null : parseIp(text);
  return ip !== null && INTRANET.has(classifyAddress(ip));
}

/** Input of the URL analyzer. */
export interface UrlSubject extends ObviousSubject {
  readonly models: { readonly lexical: LexicalModel };
}

/**
 * Classifies the spelling of the URL by the trained lexical model and by {@link obviousSignals}; that of a service which
 * forwards by the second alone.
 */
export const urlAnalyzer: Analyzer<'url', UrlSubject, ObviousSignal> = {
  component: 'url',
  features: OBVIOUS_SIGNALS,
  analyze(subject) {
    const { models, target, brands } = subject;
    // What a service that forwards writes into its links is no evidence: their target is.
    const isForwarder = forwarderOf(target.host.text, target.path) !== null;
    const terms = isForwarder ? [] : scoreUrl(models.lexical, target, brands.findings.length > 0);
    return { features: obviousSignals(subject, terms), terms };
  },
};
