import type { CertificateFault, CertificateInfo } from '#src/network/certificate/info.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { Host } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { Analyzer, Feature } from './analyzer.ts';
import { certifiedHost } from './certificate-name.ts';
import { mergeHosts, visitedHosts } from './visited-hosts.ts';

/** What each fault means for a visitor; `{host}` and `{subject}` are filled in. */
const FAULT_MESSAGES = {
  untrusted_issuer: 'The certificate of {host} was issued by somebody whom browsers do not trust ({issuer})',
  self_signed: 'The certificate of {host} was signed by nobody but itself',
  bad_signature: 'The certificate of {host} bears a forged or broken signature',
  incomplete_chain: 'The server of {host} does not show who issued its certificate',
  expired: 'The certificate of {host} is past its date',
  not_yet_valid: 'The certificate of {host} is not valid yet',
  no_subject_alternative_name: 'The certificate of {host} names no host at all',
  name_mismatch: 'The certificate shown for {host} belongs to another name',
  name_not_permitted: 'The certificate of {host} is for a name that its issuer may not vouch for',
  wrong_purpose: 'The certificate of {host} is not meant for a web site',
  weak_key: 'The certificate of {host} has a key that can be broken ({key})',
  weak_signature: 'The certificate of {host} is signed by a method that can be forged ({algorithm})',
  validity_too_long: 'The certificate of {host} is valid for longer than browsers allow',
} as const satisfies Record<CertificateFault, string>;

type Name =
  | `certificate.${CertificateFault}`
  | 'certificate.issued_under_1_day_ago'
  | 'certificate.issued_under_7_days_ago'
  | 'certificate.names_an_organisation'
  | 'certificate.odd_names'
  | 'certificate.many_sites';

const isFault = (text: string): text is CertificateFault => Object.hasOwn(FAULT_MESSAGES, text);

const FEATURES: readonly Name[] = [
  ...Object.keys(FAULT_MESSAGES)
    .filter(isFault)
    .map((fault) => `certificate.${fault}` as const),
  'certificate.issued_under_1_day_ago',
  'certificate.issued_under_7_days_ago',
  'certificate.names_an_organisation',
  'certificate.odd_names',
  'certificate.many_sites',
];

const REASSURING: ReadonlySet<Name> = new Set(['certificate.names_an_organisation']);

/** A host name, with or without a star for its first label, or an address. */
const PLAIN_NAME = /^(?:\*\.)?[a-z0-9_.-]+$|^[0-9a-f:]+$/;
/** From so many unrelated sites on a certificate is shared; at so many the feature is at its full value. */
const SHARED_SITES = 4;
const MANY_SITES = 20;

/** What the analyzer looks at. */
export interface CertificateSubject {
  readonly target: Target;
  readonly observations: Observations;
  readonly knowledge: Pick<Knowledge, 'hostFact'>;
}

/** Judges the certificates of the hosts that a visitor comes to. */
export const certificateAnalyzer: Analyzer<'certificate', CertificateSubject, Name> = {
  component: 'certificate',
  features: FEATURES,
  analyze({ target, observations, knowledge }) {
    const visits = visitedHosts(target, observations);
    if (visits.every(({ seen: { certificate } }) => certificate.state !== 'observed')) return null;
    const shownBy = hostsOverTls(target, observations);
    const judged = visits.map(({ host, seen: { certificate } }) => {
      if (certificate.state !== 'observed') return null;
      const faults = shownBy.has(host.text) ? judgeFaults(host.text, certificate.value) : [];
      return [...faults, ...judge(host, certificate.value, knowledge)];
    });
    return mergeHosts(judged, REASSURING);
  },
};

/**
 * The hosts whose certificate a visitor is shown. The probe looks at the others' too, but a fault that nobody meets is
 * no sign; the age of a certificate and its names still are.
 */
function hostsOverTls({ url }: Target, { page }: Observations): ReadonlySet<string> {
  const stops =
    page.state === 'observed' ? [...page.value.redirects.map((hop) => hop.location), page.value.finalUrl] : [];
  const targets = [url, ...stops].map((stop) => parseTarget(stop ?? ''));
  return new Set(targets.flatMap((stop) => (!isTargetProblem(stop) && stop.scheme === 'https' ? stop.host.text : [])));
}

function judgeFaults(host: string, info: CertificateInfo): Feature<Name>[] {
  return info.faults.map((fault) => ({
    name: `certificate.${fault}`,
    value: 1,
    message: describeFault(fault, host, info),
  }));
}

function judge(host: Host, info: CertificateInfo, knowledge: Pick<Knowledge, 'hostFact'>): Feature<Name>[] {
  const { text: name } = host;
  const features: Feature<Name>[] = [];
  const add = (name: Name, value: number, message: string) => features.push({ name, value, message });
  const issued = `The certificate of ${name} was issued on ${info.validFrom.slice(0, 10)}`;
  if (info.ageDays < 1) add('certificate.issued_under_1_day_ago', 1, `${issued}, less than a day ago`);
  else if (info.ageDays < 7) add('certificate.issued_under_7_days_ago', 1, `${issued}, ${ageText(info.ageDays)}`);
  // A platform's certificate names the platform, whoever published the page.
  const organisation = /(?:^|(?<!\\), )O=((?:\\.|[^,\\])+)/.exec(info.subject)?.[1];
  if (organisation !== undefined && info.trusted && knowledge.hostFact(host) === null) {
    add('certificate.names_an_organisation', 1, `The certificate of ${name} names its owner, ${organisation}`);
  }
  const odd = info.sans.find((san) => !PLAIN_NAME.test(san));
  if (odd !== undefined) {
    add('certificate.odd_names', 1, `The certificate of ${name} has a name that no host can have: ${odd}`);
  }
  const sites = countSites(info.sans);
  if (sites >= SHARED_SITES) {
    const value = Math.min((sites - SHARED_SITES + 1) / (MANY_SITES - SHARED_SITES + 1), 1);
    add('certificate.many_sites', value, `The certificate of ${name} is shared by ${sites} unrelated sites or more`);
  }
  return features;
}

function ageText(days: number): string {
  return days === 1 ? '1 day ago' : `${days} days ago`;
}

function describeFault(fault: CertificateFault, host: string, info: CertificateInfo): string {
  const words: Readonly<Record<string, string>> = {
    host,
    issuer: info.issuer,
    key: info.key,
    algorithm: info.signatureAlgorithm,
  };
  return FAULT_MESSAGES[fault].replace(/\{(\w+)\}/g, (_, word: string) => words[word] ?? '');
}

function countSites(names: readonly string[]): number {
  const plain = names.filter((name) => PLAIN_NAME.test(name) && !name.includes(':'));
  return new Set(plain.map((name) => certifiedHost(name)?.site ?? name)).size;
}
