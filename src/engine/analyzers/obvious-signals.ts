import { type AddressClass, classifyAddress } from '#src/core/base/addresses/address-class.ts';
import { parseIp } from '#src/core/base/addresses/ip.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { SPECIAL_TOP_LABELS } from '#src/core/knowledge/hosts/special-names.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import { type Host, impossibleName } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import type { Feature, Term } from './analyzer.ts';
import type { BrandReading } from './brand.ts';

/** What a person sees at once in a URL of a site that nobody knows. */
export const PLAIN_SIGNS = [
  'url.address_as_host',
  'url.homograph_of_brand',
  'url.brand_left_of_domain',
  'url.credentials_before_host',
  'url.impossible_host',
] as const;

/** One of {@link PLAIN_SIGNS}. */
export type PlainSign = (typeof PLAIN_SIGNS)[number];

/** What the signs are seen by. */
export interface PlainSubject {
  readonly target: Target;
  readonly knowledge: Knowledge;
  readonly brands: BrandReading;
  /** Not there for a URL that was not visited. */
  readonly observations?: Pick<Observations, 'dns'>;
}

/** Addresses of networks that nobody reaches from elsewhere: no stranger's link leads there. */
const INTRANET: ReadonlySet<AddressClass> = new Set<AddressClass>([
  'private',
  'cgnat',
  'loopback',
  'link-local',
  'unique-local',
  'site-local',
]);

/** As much as warns at the model's threshold, in log-odds above those of the base rate: ln(0.49 / 0.51) − ln(0.05 / 0.95). */
const ENOUGH_TO_WARN = 2.91;
/** What a sign adds in any case, so that it stands among the reasons. */
const LEAST = 0.3;
/** Log-odds of a sign at its full value, as its weight in `fusion.json`: more than any spelling takes away. */
const FULL = 16;

/**
 * The plain signs of a URL. However harmless the rest of it is spelt (`terms`), they leave no doubt that a person should be
 * warned: together they take back what the spelling says for the site, and not more.
 */
export function plainSigns(subject: PlainSubject, terms: readonly Term[]): Feature<PlainSign>[] {
  const { target, knowledge, brands } = subject;
  if (brands.owner !== null || knowledge.popularityOf(target) !== null || isIntranet(target.host)) return [];
  const signs = PLAIN_SIGNS.flatMap((name) => {
    const message = SEEN[name](subject);
    return message === null ? [] : [{ name, message }];
  });
  const said = terms.reduce((sum, { logOdds }) => sum + logOdds, 0);
  const value = Math.min(1, Math.max((ENOUGH_TO_WARN - said) / signs.length, LEAST) / FULL);
  return signs.map((sign) => ({ ...sign, value }));
}

/** What each sign says where it is seen; null where it is not. */
const SEEN: Readonly<Record<PlainSign, (subject: PlainSubject) => string | null>> = {
  'url.address_as_host': ({ target: { host } }) =>
    host.kind === 'name' ? null : `the host is the bare address ${host.text}, which has no name to go by`,
  'url.homograph_of_brand': ({ target: { host }, brands }) => {
    const meant =
      host.text.includes('xn--') && brands.findings.find(({ feature }) => feature.name === 'brand.look_alike');
    return meant ? `the host is to be read as ${meant.brand.name}, in letters that only look like it` : null;
  },
  'url.brand_left_of_domain': ({ target: { host }, brands }) => {
    const labels = host.subdomain.split('.');
    const left = brands.findings.find(
      ({ brand, feature }) =>
        feature.name === 'brand.domain_in_host' ||
        (feature.name === 'brand.name_in_subdomain' && brand.aliases.some(({ name }) => labels.includes(name))),
    );
    return left ? `the host begins like ${left.brand.name} and ends in ${host.site}, to which it belongs` : null;
  },
  'url.credentials_before_host': ({ target: { host, username, hasPassword } }) =>
    username === '' && !hasPassword ? null : `what stands before the @ is no host: the link leads to ${host.text}`,
  'url.impossible_host': ({ target: { host }, observations }) => {
    // A top-level domain may be newer than the list, and an organisation may have one of its own.
    if (observations?.dns.state === 'observed' || SPECIAL_TOP_LABELS.has(host.text.split('.').at(-1) ?? ''))
      return null;
    return impossibleName(host) && `the host ${host.text} cannot exist on the public Internet`;
  },
};

function isIntranet({ kind, text }: Host): boolean {
  const ip = kind === 'name' ? null : parseIp(text);
  return ip !== null && INTRANET.has(classifyAddress(ip));
}
