import { systemClock } from '#src/base/clock.ts';
import { parseCidr } from '#src/base/ip.ts';
import { createLogger } from '#src/base/logger.ts';
import { type Egress, openEgress } from '#src/egress/egress.ts';
import { DEFAULT_EGRESS_SETTINGS, type EgressSettings } from '#src/egress/settings.ts';
import type { RegistrySettings } from '#src/probes/registry-directory.ts';
import { serveDns } from '#test/egress/dns-server.ts';
import { type Op, serveScript } from '#test/egress/script-server.ts';
import {
  type CertificateAuthority,
  type CertificateOrder,
  createCertificateAuthority,
  createSelfSigned,
} from './certificate-authority.ts';
import { answerRdap, answerWhois, type RegistrationPlan } from './registry.ts';
import { type ServerCertificate, serveWeb, type WebAnswer } from './web-server.ts';
import { serveWhois } from './whois-server.ts';
import { answerFromZone, type ZoneEntry } from './zone.ts';

/** One site of a small internet. */
export interface SitePlan {
  /** Default: https. */
  readonly scheme?: 'http' | 'https';
  /** What it shows; `url` gives the address of any site of the same internet. Default: a short page. */
  readonly answer?: (path: string, url: UrlOf) => WebAnswer;
  /** In place of an answer: what a hostile server does with a connection over plain HTTP. */
  readonly script?: readonly Op[];
  /** Default: a certificate for its name, issued by the internet's authority a month ago. */
  readonly certificate?: CertificateOrder & { readonly isSelfSigned?: boolean };
  /** Added to its records, or in place of them: an address of this machine, two name servers, mail. */
  readonly zone?: ZoneEntry;
  /** The DMARC record of its domain. */
  readonly dmarc?: string;
  /** Default: registered years ago. Null: its registry does not know it. */
  readonly registration?: RegistrationPlan | null;
}

export type UrlOf = (name: string, path?: string) => string;

/** A small internet: a resolver, a registry and sites, real servers all of them, and an authority that vouches for them. */
export interface Internet extends AsyncDisposable {
  readonly url: UrlOf;
  readonly authority: CertificateAuthority;
  /** What lets a door reach it. */
  readonly egress: Partial<EgressSettings>;
  readonly registries: RegistrySettings;
  /** What was asked, in order: `https bank.example /path`, `whois bank.example`. */
  readonly visits: readonly string[];
  /** A door to it, with settings of its own where the test has some. */
  open(settings?: Partial<EgressSettings>): Egress;
}

/** Each server has an address of its own, as on the real internet, where connections to one address are counted. */
const addressOf = (index: number): string => `127.0.1.${index + 1}`;
const REGISTRY_ADDRESS = '127.0.0.2';
const RDAP_HOST = 'rdap.lab.example';
const WHOIS_HOST = 'whois.lab.example';
const DEFAULT_REGISTRATION: RegistrationPlan = { created: '2012-03-04T05:06:07Z' };
const MAIL = [{ exchange: 'mail.lab.example', preference: 10 }];
const NAME_SERVERS = ['ns1.lab.example', 'ns2.lab.example'];

/** Starts an internet with these sites, by name, on free ports of this machine. */
export async function startInternet(sites: Readonly<Record<string, SitePlan>>): Promise<Internet> {
  await using opened = new AsyncDisposableStack();
  const authority = createCertificateAuthority();
  const intermediate = authority.subordinate({});
  const ports = new Map<string, number>();
  const visits: string[] = [];
  const schemeOf = (name: string) => (sites[name]?.script ? 'http' : (sites[name]?.scheme ?? 'https'));
  const url: UrlOf = (name, path = '/') => `${schemeOf(name)}://${name}:${ports.get(name)}${path}`;

  const certify = (name: string, order: SitePlan['certificate'] = {}): ServerCertificate =>
    order.isSelfSigned
      ? { leaf: createSelfSigned({ subject: name, ...order }) }
      : { leaf: intermediate.issue({ subject: name, ...order }), intermediates: [intermediate] };

  for (const [index, [name, plan]] of Object.entries(sites).entries()) {
    const scheme = schemeOf(name);
    const { answer = () => ({ body: `<title>${name}</title><p>This is ${name}.` }), script } = plan;
    const note = (path: string) => visits.push(`${scheme} ${name} ${path}`);
    const server = script
      ? await serveScript(
          (path) => {
            note(path);
            return script;
          },
          false,
          addressOf(index),
        )
      : await serveWeb(
          (path) => {
            note(path);
            return answer(path, url);
          },
          scheme === 'https' ? certify(name, plan.certificate) : null,
          { address: addressOf(index), port: 0 },
        );
    opened.use(server);
    ports.set(name, server.port);
  }

  const registrations = new Map(
    Object.entries(sites).flatMap(([name, { registration = DEFAULT_REGISTRATION }]) =>
      registration === null ? [] : [[name.split('.').slice(-2).join('.'), registration] as const],
    ),
  );
  const rdap = opened.use(
    await serveWeb(
      (path) => {
        visits.push(`rdap ${path.split('/').at(-1)}`);
        return answerRdap(registrations, path);
      },
      certify(RDAP_HOST),
      { address: REGISTRY_ADDRESS, port: 0 },
    ),
  );
  const whois = opened.use(
    await serveWhois(
      (domain) => {
        visits.push(`whois ${domain}`);
        return answerWhois(registrations, domain);
      },
      { address: REGISTRY_ADDRESS, port: 0 },
    ),
  );

  const zone = new Map<string, ZoneEntry>([RDAP_HOST, WHOIS_HOST].map((name) => [name, { a: [REGISTRY_ADDRESS] }]));
  for (const [index, [name, plan]] of Object.entries(sites).entries()) {
    zone.set(name, { a: [addressOf(index)], ns: NAME_SERVERS, mx: MAIL, txt: ['v=spf1 -all'], ...plan.zone });
    if (plan.dmarc !== undefined) zone.set(`_dmarc.${name}`, { txt: [plan.dmarc] });
  }
  const dns = opened.use(await serveDns((query) => answerFromZone(zone, query)));

  const loopback = parseCidr('127.0.0.0/8');
  if (typeof loopback === 'string') throw new Error(loopback);
  const egress: Partial<EgressSettings> = {
    dnsServer: [dns.endpoint],
    egressAllow: [loopback],
    egressPort: [...ports.values(), rdap.port, whois.port],
    egressName: ['example'],
    egressCa: [authority.pem],
  };
  const closing = opened.move();
  return {
    url,
    authority,
    egress,
    registries: {
      rdapServer: [{ suffix: '*', server: `https://${RDAP_HOST}:${rdap.port}/` }],
      whoisServer: [{ suffix: '*', server: `${WHOIS_HOST}:${whois.port}` }],
      registryTimeoutMs: 1000,
    },
    visits,
    open: (settings = {}) =>
      openEgress(
        { ...DEFAULT_EGRESS_SETTINGS, ...egress, ...settings },
        { clock: systemClock, logger: createLogger('error', () => {}) },
      ),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
