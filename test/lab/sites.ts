import { DAY_MS } from '#src/core/base/clock.ts';
import type { Op } from '#test/network/egress/script-server.ts';
import { derOid, derSequence, derSet, derUtf8 } from '#test/support/der-writer.ts';
import type { SitePlan } from '#test/support/internet.ts';

/** A site of the laboratory, and what it is for. */
export interface LabSite extends SitePlan {
  readonly about: string;
  /** Reasons that a check of it must give, among others. */
  readonly reasons?: readonly string[];
  /** True where it never ends by itself, so that only the deadline of a check does. */
  readonly isStalling?: true;
  /** What a check of it cannot look at, as `component reason`. */
  readonly unavailable?: readonly string[];
}

const LOGIN_FORM = `<!doctype html><html lang="en"><head><title>Harbour Bank: sign in</title></head><body>
<h1>Harbour Bank</h1><p>Sign in to your account.</p>
<form method="post" action="ACTION"><label>Customer number <input name="customer"></label>
<label>Password <input type="password" name="password"></label><button>Sign in</button></form></body></html>`;

const loginPage = (action: string) => ({ body: LOGIN_FORM.replace('ACTION', action) });

/** The subject of a certificate for which somebody looked up the owner in a commercial register. */
function organisation(commonName: string, owner: string): Uint8Array {
  const attribute = (oid: string, text: string) => derSet(derSequence(derOid(oid), derUtf8(text)));
  return derSequence(attribute('2.5.4.10', owner), attribute('2.5.4.3', commonName));
}

const HTTP_OK = { op: 'send', data: 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n' } as const;
const script = (...ops: readonly Op[]): readonly Op[] => ops;

/**
 * The sites of the laboratory by name, the harmless ones first.
 *
 * @param suffix `example`, which nobody can register; or, where no other network can be reached, a real one.
 * @param nowMs the time around which they are young or old: that of the executable which checks them.
 */
export function labSites(suffix: string, nowMs: number): Readonly<Record<string, LabSite>> {
  const daysAgo = (days: number): string => new Date(nowMs - days * DAY_MS).toISOString();
  const named = (label: string) => `${label}.${suffix}`;
  return {
    [named('harbourbank')]: {
      about: 'a bank, as old as banks are',
      reasons: [
        'registration.created_over_5_years_ago',
        'certificate.names_an_organisation',
        'dns.mail_policy_enforced',
      ],
      answer: () => loginPage('/session'),
      registration: { created: '1998-03-04T05:06:07Z', registrar: 'Old Registrar' },
      certificate: { subject: organisation(named('harbourbank'), 'Harbour Bank plc'), names: [named('harbourbank')] },
      dmarc: 'v=DMARC1; p=reject',
    },
    [named('oldtimes')]: {
      about: 'an old site whose registry speaks WHOIS alone',
      reasons: ['registration.created_over_5_years_ago'],
      registration: { created: '2001-09-12T00:00:00Z', only: 'whois' },
    },
    [named('harbourbank-secure')]: {
      about: 'its clone: registered three days ago, certified today, and the form leads elsewhere',
      reasons: ['registration.created_under_7_days_ago', 'certificate.issued_under_1_day_ago', 'dns.no_mail'],
      answer: (_, url) => loginPage(url(named('collector'), '/take')),
      registration: { created: daysAgo(3), registrar: 'Cheap Registrar' },
      certificate: { notBeforeMs: nowMs - 3_600_000 },
      zone: { mx: [], txt: [] },
    },
    [named('collector')]: {
      about: 'where the clone sends what people type',
      reasons: ['registration.created_under_30_days_ago', 'registration.on_hold'],
      scheme: 'http',
      registration: { created: daysAgo(20), statuses: ['clientHold'] },
    },
    [named('fresh')]: {
      about: 'a registration of yesterday, with nothing on it',
      reasons: ['registration.created_under_7_days_ago'],
      registration: { created: daysAgo(1) },
    },
    [named('parked')]: {
      about: 'a parked domain',
      reasons: ['dns.parked_name_servers'],
      zone: { ns: ['ns1.sedoparking.com', 'ns2.sedoparking.com'], mx: [], txt: [] },
    },
    [named('maze')]: {
      about: 'a maze of redirects that ends on the clone',
      reasons: ['redirects.through_many_sites', 'redirects.long_chain', 'registration.created_under_7_days_ago'],
      scheme: 'http',
      answer: (path, url) => {
        const step = Number(path.slice(1)) || 0;
        const names = [named('turn'), named('maze'), named('turn')];
        const location =
          step < names.length ? url(names[step] ?? '', `/${step + 1}`) : url(named('harbourbank-secure'));
        return { status: 302, headers: { location } };
      },
    },
    [named('turn')]: {
      about: 'a corner of the maze',
      reasons: ['redirects.lands_on_other_site', 'registration.created_under_7_days_ago'],
      answer: (path, url) => ({
        status: 302,
        headers: { location: path === '/1' ? url(named('maze'), '/1') : url(named('harbourbank-secure')) },
      }),
    },
    [named('selfsigned')]: {
      about: 'a certificate that nobody vouches for',
      reasons: ['certificate.self_signed'],
      certificate: { isSelfSigned: true },
    },
    [named('expired')]: {
      about: 'a certificate past its date, for another name',
      reasons: ['certificate.expired', 'certificate.name_mismatch'],
      certificate: {
        names: [named('other')],
        notBeforeMs: nowMs - 100 * DAY_MS,
        notAfterMs: nowMs - 10 * DAY_MS,
      },
    },
    [named('inside')]: {
      about: 'a name that leads inside: a public address and a private one',
      unavailable: ['dns refused_by_policy', 'page refused_by_policy'],
      zone: { a: ['203.0.113.7', '10.0.0.7'] },
    },
    [named('lure')]: {
      about: 'a redirect to the address where clouds keep their secrets',
      reasons: ['redirects.lands_on_address'],
      answer: () => ({ status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data/' } }),
    },
    [named('slow')]: {
      about: 'hostile: a byte now and then',
      reasons: ['page.not_seen_whole'],
      isStalling: true,
      script: script(HTTP_OK, { op: 'send', data: '\r\n' }, { op: 'drip', data: '.', everyMs: 200 }),
    },
    [named('silent')]: {
      about: 'hostile: says nothing',
      isStalling: true,
      unavailable: ['page timeout'],
      script: script({ op: 'hang' }),
    },
    [named('endless')]: {
      about: 'hostile: a page without end',
      reasons: ['page.not_seen_whole'],
      script: script(HTTP_OK, { op: 'send', data: '\r\n' }, { op: 'flood', data: '<p>more', times: 8192 }),
    },
    [named('bomb')]: {
      about: 'hostile: a gibibyte in a megabyte',
      reasons: ['page.not_seen_whole'],
      script: script(
        HTTP_OK,
        { op: 'send', data: 'Content-Encoding: gzip\r\n' },
        { op: 'bomb', encoding: 'gzip-multi', mib: 1024 },
      ),
    },
    [named('reset')]: { about: 'hostile: hangs up', unavailable: ['page error'], script: script({ op: 'rst' }) },
    [named('malformed')]: {
      about: 'hostile: no HTTP',
      unavailable: ['page error'],
      script: script({ op: 'send', data: 'HTTP/9.9 hello\r\n\u0000\r\n\r\n' }, { op: 'end' }),
    },
  };
}
