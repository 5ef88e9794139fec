import type { Op } from '#test/egress/script-server.ts';
import { derOid, derSequence, derSet, derUtf8 } from '#test/support/der-writer.ts';
import type { SitePlan } from '#test/support/internet.ts';

const DAY_MS = 86_400_000;

/** A site of the laboratory, and what it is for. */
export interface LabSite extends SitePlan {
  readonly about: string;
}

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

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

/** The sites of the laboratory by name, the harmless ones first. */
export const LAB_SITES: Readonly<Record<string, LabSite>> = {
  'harbourbank.example': {
    about: 'a bank, as old as banks are',
    answer: () => loginPage('/session'),
    registration: { created: '1998-03-04T05:06:07Z', registrar: 'Old Registrar' },
    certificate: { subject: organisation('harbourbank.example', 'Harbour Bank plc'), names: ['harbourbank.example'] },
    dmarc: 'v=DMARC1; p=reject',
  },
  'oldtimes.example': {
    about: 'an old site whose registry speaks WHOIS alone',
    registration: { created: '2001-09-12T00:00:00Z', only: 'whois' },
  },
  'harbourbank-secure.example': {
    about: 'its clone: registered three days ago, certified today, and the form leads elsewhere',
    answer: (_, url) => loginPage(url('collector.example', '/take')),
    registration: { created: daysAgo(3), registrar: 'Cheap Registrar' },
    certificate: { notBeforeMs: Date.now() - 3_600_000 },
    zone: { mx: [], txt: [] },
  },
  'collector.example': {
    about: 'where the clone sends what people type',
    scheme: 'http',
    registration: { created: daysAgo(20), statuses: ['clientHold'] },
  },
  'fresh.example': {
    about: 'a registration of yesterday, with nothing on it',
    registration: { created: daysAgo(1) },
  },
  'parked.example': {
    about: 'a parked domain',
    zone: { ns: ['ns1.sedoparking.com', 'ns2.sedoparking.com'], mx: [], txt: [] },
  },
  'maze.example': {
    about: 'a maze of redirects that ends on the clone',
    scheme: 'http',
    answer: (path, url) => {
      const step = Number(path.slice(1)) || 0;
      const names = ['turn.example', 'maze.example', 'turn.example'];
      const location = step < names.length ? url(names[step] ?? '', `/${step + 1}`) : url('harbourbank-secure.example');
      return { status: 302, headers: { location } };
    },
  },
  'turn.example': {
    about: 'a corner of the maze',
    answer: (path, url) => ({
      status: 302,
      headers: { location: path === '/1' ? url('maze.example', '/1') : url('harbourbank-secure.example') },
    }),
  },
  'selfsigned.example': { about: 'a certificate that nobody vouches for', certificate: { isSelfSigned: true } },
  'expired.example': {
    about: 'a certificate past its date, for another name',
    certificate: {
      names: ['other.example'],
      notBeforeMs: Date.now() - 100 * DAY_MS,
      notAfterMs: Date.now() - 10 * DAY_MS,
    },
  },
  'inside.example': {
    about: 'a name that leads inside: a public address and a private one',
    zone: { a: ['203.0.113.7', '10.0.0.7'] },
  },
  'lure.example': {
    about: 'a redirect to the address where clouds keep their secrets',
    answer: () => ({ status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data/' } }),
  },
  'slow.example': {
    about: 'hostile: a byte now and then',
    script: script(HTTP_OK, { op: 'send', data: '\r\n' }, { op: 'drip', data: '.', everyMs: 200 }),
  },
  'silent.example': { about: 'hostile: says nothing', script: script({ op: 'hang' }) },
  'endless.example': {
    about: 'hostile: a page without end',
    script: script(HTTP_OK, { op: 'send', data: '\r\n' }, { op: 'flood', data: '<p>more', times: 8192 }),
  },
  'bomb.example': {
    about: 'hostile: a gibibyte in a megabyte',
    script: script(
      HTTP_OK,
      { op: 'send', data: 'Content-Encoding: gzip\r\n' },
      { op: 'bomb', encoding: 'gzip-multi', mib: 1024 },
    ),
  },
  'reset.example': { about: 'hostile: hangs up', script: script({ op: 'rst' }) },
  'malformed.example': {
    about: 'hostile: no HTTP',
    script: script({ op: 'send', data: 'HTTP/9.9 hello\r\n\u0000\r\n\r\n' }, { op: 'end' }),
  },
};
