import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { Host } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { ArgsOf } from '#src/engine/reasons/reason.ts';
import type { CertificateFault, CertificateInfo } from '#src/network/certificate/info.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import { type Analyzer, type Feature, feature } from './analyzer.ts';
import { certifiedHost, type HostSubject, mergeHosts, visitedHosts } from './visited-hosts.ts';

const hostAlone = (host: string) => ({ host });

/** Arguments of the sentence of each fault. */
const FAULT_ARGS: {
  readonly [Fault in CertificateFault]: (host: string, info: CertificateInfo) => ArgsOf<`certificate.${Fault}`>;
} = {
  untrusted_issuer: (host, { issuer }) => ({ host, issuer }),
  self_signed: hostAlone,
  bad_signature: hostAlone,
  incomplete_chain: hostAlone,
  expired: hostAlone,
  not_yet_valid: hostAlone,
  no_subject_alternative_name: hostAlone,
  name_mismatch: hostAlone,
  name_not_permitted: hostAlone,
  wrong_purpose: hostAlone,
  weak_key: (host, { key }) => ({ host, key }),
  weak_signature: (host, { signatureAlgorithm: method }) => ({ host, method }),
  validity_too_long: hostAlone,
};

type Name =
  | `certificate.${CertificateFault}`
  | 'certificate.issued_under_1_day_ago'
  | 'certificate.issued_under_7_days_ago'
  | 'certificate.names_an_organisation'
  | 'certificate.odd_names'
  | 'certificate.many_sites';

const isFault = (text: string): text is CertificateFault => Object.hasOwn(FAULT_ARGS, text);

const FEATURES: readonly Name[] = [
  ...Object.keys(FAULT_ARGS)
    .filter(isFault)
    .map((fault) => `certificate.${fault}` as const),
  'certificate.issued_under_1_day_ago',
  'certificate.issued_under_7_days_ago',
  'certificate.names_an_organisation',
  'certificate.odd_names',
  'certificate.many_sites',
];

const REASSURING: ReadonlySet<Name> = new Set(['certificate.names_an_organisation']);

/** A host name, optionally with a wildcard label, or an address. */
const PLAIN_NAME = /^(?:\*\.)?[a-z0-9_.-]+$|^[0-9a-f:]+$/;
/** Number of unrelated sites from which a certificate is shared, and the number at which the value is 1. */
const SHARED_SITES = 4;
const MANY_SITES = 20;

/** Classifies the certificates of the visited hosts. */
export const certificateAnalyzer: Analyzer<'certificate', HostSubject, Name> = {
  component: 'certificate',
  features: FEATURES,
  analyze({ target, observations, knowledge }) {
    const visits = visitedHosts(target, observations);
    if (visits.every(({ seen: { certificate } }) => certificate.state !== 'observed')) return null;
    const shownBy = hostsOverTls(target, observations);
    const found = visits.map(({ host, seen: { certificate } }) => {
      if (certificate.state !== 'observed') return null;
      const faults = shownBy.has(host.text) ? faultFeatures(host.text, certificate.value) : [];
      return [...faults, ...certificateFeatures(host, certificate.value, knowledge)];
    });
    return mergeHosts(found, REASSURING);
  },
};

/**
 * Returns the hosts whose certificate a visitor sees. The probe also fetches the others', but their faults are no
 * signal; the age and the names of their certificates are.
 */
function hostsOverTls({ url }: Target, { page }: Observations): ReadonlySet<string> {
  const stops =
    page.state === 'observed' ? [...page.value.redirects.map((hop) => hop.location), page.value.finalUrl] : [];
  const targets = [url, ...stops].map((stop) => parseTarget(stop ?? ''));
  return new Set(targets.flatMap((stop) => (!isTargetProblem(stop) && stop.scheme === 'https' ? stop.host.text : [])));
}

function faultFeatures(host: string, info: CertificateInfo): Feature<Name>[] {
  return info.faults.map((fault) => ({
    name: `certificate.${fault}`,
    value: 1,
    args: FAULT_ARGS[fault](host, info),
  }));
}

function certificateFeatures(
  host: Host,
  info: CertificateInfo,
  knowledge: Pick<Knowledge, 'hostFact'>,
): Feature<Name>[] {
  const { text } = host;
  const features: Feature<Name>[] = [];
  const issued = { host: text, day: info.validFrom.slice(0, 10) };
  if (info.ageDays < 1) features.push(feature('certificate.issued_under_1_day_ago', 1, issued));
  else if (info.ageDays < 7) {
    features.push(
      feature('certificate.issued_under_7_days_ago', 1, {
        ...issued,
        age: info.ageDays === 1 ? '1 day' : `${info.ageDays} days`,
      }),
    );
  }
  // A platform's certificate names the platform, not the publisher of the page.
  const organisation = /(?:^|(?<!\\), )O=((?:\\.|[^,\\])+)/.exec(info.subject)?.[1];
  if (organisation !== undefined && info.trusted && knowledge.hostFact(host) === null) {
    features.push(feature('certificate.names_an_organisation', 1, { host: text, owner: organisation }));
  }
  const odd = info.sans.find((san) => !PLAIN_NAME.test(san));
  if (odd !== undefined) features.push(feature('certificate.odd_names', 1, { host: text, name: odd }));
  const sites = countSites(info.sans);
  if (sites >= SHARED_SITES) {
    const value = Math.min((sites - SHARED_SITES + 1) / (MANY_SITES - SHARED_SITES + 1), 1);
    features.push(feature('certificate.many_sites', value, { host: text, sites }));
  }
  return features;
}

function countSites(names: readonly string[]): number {
  const plain = names.filter((name) => PLAIN_NAME.test(name) && !name.includes(':'));
  return new Set(plain.map((name) => certifiedHost(name)?.site ?? name)).size;
}
