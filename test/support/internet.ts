import type { EgressSettings } from '#src/network/egress/settings.ts';
import type { RegistrySettings } from '#src/network/registry/settings.ts';
import { serveDns } from '#test/network/egress/dns-server.ts';
import { openEgressWith, PATIENCE, type TestEgress } from '#test/network/egress/loopback.ts';
import { type Op, serveScript } from '#test/network/egress/script-server.ts';
import {
  type CertificateAuthority,
  type CertificateOrder,
  createCertificateAuthority,
  createSelfSigned,
} from './certificate-authority.ts';
import { LOOPBACK, type Place } from './place.ts';
import type { RegistrationPlan, Registrations } from './registry.ts';
import { serveRegistry } from './registry-server.ts';
import { type ServerCertificate, serveWeb, type WebAnswer } from './web-server.ts';
import { answerFromZone, type ZoneEntry } from './zone.ts';

/** One site of a small internet. */
export interface SitePlan {
  /** Default: https. */
  readonly scheme?: 'http' | 'https';
  /** What it shows; `url` gives the address of any site of the same internet. Default: a short page. */
  readonly answer?: (path: string, url: UrlOf) => WebAnswer | Promise<WebAnswer>;
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
  /** The address at which a site's server listens, whatever its records say. */
  addressOf(name: string): string;
  readonly authority: CertificateAuthority;
  /** What its resolver knows; names may be added. */
  readonly zone: Map<string, ZoneEntry>;
  /** What lets an egress client reach it. */
  readonly egress: Partial<EgressSettings>;
  readonly registries: RegistrySettings;
  /** What was asked, in order: `https bank.example /path`, `whois bank.example`. */
  readonly visits: readonly string[];
  /** An egress client to it, with settings of its own where the test has some. */
  open(settings?: Partial<EgressSettings>): TestEgress;
}

const DEFAULT_REGISTRATION: RegistrationPlan = { created: '2012-03-04T05:06:07Z' };
const MAIL = [{ exchange: 'mail.lab.example', preference: 10 }];
const NAME_SERVERS = ['ns1.lab.example', 'ns2.lab.example'];

/** Starts an internet with these sites, by name; by default on free ports of this machine. */
export async function startInternet(
  sites: Readonly<Record<string, SitePlan>>,
  place: Place = LOOPBACK,
): Promise<Internet> {
  await using opened = new AsyncDisposableStack();
  // The handshakes are real, and the runtime's TLS library knows no other time.
  const nowMs = Date.now();
  const authority = createCertificateAuthority(nowMs);
  const intermediate = authority.subordinate({});
  const visits: string[] = [];
  const certify = (name: string, order: SitePlan['certificate'] = {}): ServerCertificate =>
    order.isSelfSigned
      ? { leaf: createSelfSigned(nowMs, { subject: name, ...order }) }
      : { leaf: intermediate.issue({ subject: name, ...order }), intermediates: [intermediate] };

  const ports = new Map<string, number>();
  const url: UrlOf = (name, path = '/') => {
    const port = place.ports.https === 0 ? `:${ports.get(name)}` : '';
    return `${schemeOf(sites[name])}://${name}${port}${path}`;
  };
  const zone = new Map<string, ZoneEntry>();
  for (const [index, [name, plan]] of Object.entries(sites).entries()) {
    const address = place.siteAddress(index);
    const note = (path: string) => visits.push(`${schemeOf(plan)} ${name} ${path}`);
    const server = opened.use(await serveSite(plan, { name, address, place, url, note, certify }));
    ports.set(name, server.port);
    zone.set(name, { a: [address], ns: NAME_SERVERS, mx: MAIL, txt: ['v=spf1 -all'], ...plan.zone });
    if (plan.dmarc !== undefined) zone.set(`_dmarc.${name}`, { txt: [plan.dmarc] });
  }

  const registry = opened.use(await serveRegistry(registrationsOf(sites), place, certify(place.rdapHost), visits));
  for (const name of [place.rdapHost, place.whoisHost]) zone.set(name, { a: [place.registry] });
  const at = { address: place.resolver, port: place.ports.dns };
  const dns = opened.use(await serveDns((query) => answerFromZone(zone, query), at));

  const egress: Partial<EgressSettings> = {
    ...place.egress,
    dns_server: [dns.endpoint],
    egress_port: place.ports.https === 0 ? [...ports.values(), ...registry.ports] : [],
  };
  const closing = opened.move();
  return {
    url,
    addressOf: (name) => place.siteAddress(Object.keys(sites).indexOf(name)),
    authority,
    zone,
    egress,
    registries: registry.settings,
    visits,
    open: (settings = {}) => openEgressWith({ ...PATIENCE, ...egress, ...settings }, [authority.pem]),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

function schemeOf(plan: SitePlan | undefined): 'http' | 'https' {
  return plan?.script ? 'http' : (plan?.scheme ?? 'https');
}

interface SiteSurroundings {
  readonly name: string;
  readonly address: string;
  readonly place: Place;
  readonly url: UrlOf;
  readonly note: (path: string) => void;
  readonly certify: (name: string, order: SitePlan['certificate']) => ServerCertificate;
}

async function serveSite(plan: SitePlan, { name, address, place, url, note, certify }: SiteSurroundings) {
  const scheme = schemeOf(plan);
  const at = { address, port: place.ports[scheme] };
  const { script, answer = () => ({ body: `<title>${name}</title><p>This is ${name}.` }) } = plan;
  if (script) {
    const play = (path: string) => {
      note(path);
      return script;
    };
    return await serveScript(play, false, at);
  }
  const respond = (path: string) => {
    note(path);
    return answer(path, url);
  };
  return await serveWeb(respond, scheme === 'https' ? certify(name, plan.certificate) : null, at);
}

/** A site is registered under the last two labels of its name. */
function registrationsOf(sites: Readonly<Record<string, SitePlan>>): Registrations {
  return new Map(
    Object.entries(sites).flatMap(([name, { registration = DEFAULT_REGISTRATION }]) =>
      registration === null ? [] : [[name.split('.').slice(-2).join('.'), registration] as const],
    ),
  );
}
