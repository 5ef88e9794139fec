import { MAX_ITEMS } from '#src/checks/record/bounded-schema.ts';
import type { Target } from '#src/core/url/target.ts';
import { readPage } from '#src/network/html/read-page.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import type { Random } from '#test/support/random.ts';

/** What strangers put into their texts: length, other scripts, what JSON and URLs escape, secrets. */
const ALPHABET = 'ab é中\u{1f600}"\\\n\u0001\u2028<&=/?#@%41.:eyJ';

function text(random: Random): string {
  return random.text([0, 20, 600, 9000][random.below(4)] ?? 0, ALPHABET);
}

function texts(random: Random): string[] {
  return Array.from({ length: [0, 2, 70, MAX_ITEMS + 2][random.below(4)] ?? 0 }, () => text(random));
}

const observed = <T>(value: T) => ({ state: 'observed', value, elapsedMs: 1 }) as const;

/** Observations of a target in which every text and list is as long as a stranger likes. */
export function hostileObservations(target: Target, random: Random): Observations {
  const addresses = texts(random).map((address) => ({ address, ttlSeconds: 60 }));
  const page = readPage(new TextEncoder().encode(hostilePage(random)), {
    contentType: 'text/html',
    url: target.requestUrl,
  });
  return {
    dns: observed({
      a: addresses,
      aaaa: [],
      cname: texts(random),
      ns: texts(random),
      mx: texts(random).map((exchange) => ({ exchange, preference: 10 })),
      soa: { primary: text(random), contact: text(random), serial: 1 },
      txt: texts(random),
      caa: texts(random).map((value) => ({ flags: 0, tag: text(random), value })),
      spf: text(random),
      dmarc: text(random),
      authenticated: false,
      unanswered: [],
    }),
    registration: observed({
      source: 'whois',
      domain: target.host.text,
      registrar: text(random),
      createdAt: null,
      updatedAt: null,
      expiresAt: null,
      statuses: texts(random),
      nameservers: texts(random),
      registrantCountry: null,
      ageDays: null,
    }),
    certificate: observed({
      trusted: false,
      faults: ['self_signed'],
      subject: text(random),
      issuer: text(random),
      sans: texts(random),
      sanCount: 1,
      validFrom: '2026-01-31T12:00:00.000Z',
      validTo: '2026-04-30T12:00:00.000Z',
      daysRemaining: 10,
      ageDays: 80,
      key: 'EC P-256',
      signatureAlgorithm: text(random),
      fingerprintSha256: '0'.repeat(64),
      chain: texts(random),
      protocol: 'TLSv1.3',
    }),
    page: observed(
      visitOf(target, {
        contentLength: 1,
        document: page,
        finalUrl: text(random),
        redirects: texts(random).map((url) => ({
          ...{ url, status: 302, location: text(random), address: '192.0.2.1', how: 'http' as const },
        })),
      }),
    ),
    lists: { state: 'skipped', reason: 'disabled' },
    landing: null,
  };
}

function hostilePage(random: Random): string {
  const forms = texts(random).map((action) => {
    const fields = '<input type=password>'.repeat(random.below(9));
    return `<form action="https://evil.example/${action.replaceAll('"', '')}">${fields}</form>`;
  });
  return `<title>${text(random)}</title>${forms.join('')}`;
}
