import type { WebAnswer } from './web-server.ts';

/** What the lab's registry knows of a domain. */
export interface RegistrationPlan {
  /** An ISO 8601 date. */
  readonly created: string;
  readonly registrar?: string;
  readonly statuses?: readonly string[];
  /** The only way in which the registry answers; by default both. */
  readonly only?: 'whois';
  /** It has had too many questions, and says so over RDAP; over WHOIS too. */
  readonly isLimited?: boolean;
  /** How long it thinks before it answers over RDAP. */
  readonly thinksMs?: number;
}

export type Registrations = ReadonlyMap<string, RegistrationPlan>;

/** The registry's RDAP answer (RFC 9083) to the path of a request. */
export async function answerRdap(registrations: Registrations, path: string): Promise<WebAnswer> {
  const domain = path.split('/').at(-1) ?? '';
  const plan = registrations.get(domain);
  await Bun.sleep(plan?.thinksMs ?? 0);
  const headers = { 'content-type': 'application/rdap+json' };
  if (!plan) return { status: 404, headers, body: JSON.stringify({ errorCode: 404 }) };
  if (plan.isLimited) return { status: 429, headers: { 'retry-after': '120' } };
  if (plan.only === 'whois') return { status: 501, headers, body: JSON.stringify({ errorCode: 501 }) };
  const body = {
    objectClassName: 'domain',
    ldhName: domain,
    status: plan.statuses ?? ['active'],
    events: [{ eventAction: 'registration', eventDate: plan.created }],
    nameservers: [{ ldhName: 'ns1.lab.example' }, { ldhName: 'ns2.lab.example' }],
    entities: [
      { roles: ['registrar'], vcardArray: ['vcard', [['fn', {}, 'text', plan.registrar ?? 'Lab Registrar']]] },
    ],
  };
  return { headers, body: JSON.stringify(body) };
}

/** The registry's WHOIS answer to a query, which may say before the domain what is looked for. */
export function answerWhois(registrations: Registrations, query: string): string {
  const domain = query.split(' ').at(-1) ?? '';
  const plan = registrations.get(domain);
  if (!plan) return `No match for "${domain}".\r\n`;
  if (plan.isLimited) return 'WHOIS LIMIT EXCEEDED\r\n';
  return [
    `Domain Name: ${domain}`,
    `Registrar: ${plan.registrar ?? 'Lab Registrar'}`,
    `Creation Date: ${plan.created}`,
    ...(plan.statuses ?? ['active']).map((status) => `Domain Status: ${status}`),
    'Name Server: ns1.lab.example',
    'Name Server: ns2.lab.example',
    '',
  ].join('\r\n');
}
