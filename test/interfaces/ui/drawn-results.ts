import type { CheckResult } from '#src/checks/record/check-result.ts';
import { describeCheck } from '#src/checks/record/describe-check.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { CERTIFICATE_FAULTS } from '#src/network/certificate/info.ts';
import { readPage } from '#src/network/html/read-page.ts';
import type { HostObservations, Observation, Observations } from '#src/network/probes/observations.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import { ORDINARY_URLS } from '#test/checks/record/ordinary-urls.ts';
import {
  certificate,
  dnsRecords,
  landingObservations,
  NOTHING,
  observed,
  registration,
} from '#test/engine/analyzers/evidence-samples.ts';
import { SIGNAL_PAGES } from '#test/engine/analyzers/page/signal-pages.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { createRandom, type Random } from '#test/support/random.ts';
import { targetOf } from '#test/support/target.ts';
import htmlVectors from '#test/vectors/html.json' with { type: 'json' };

const NAMES =
  'paypal microsoft netflix amazon apple dhl allegro chase paypa1 g00gle arnazon rivercafe kx7qz2vbnt9w'.split(' ');
const LURES = 'login verify secure account update billing support signin wallet news'.split(' ');
const SUFFIXES = 'com org net de top cyou xyz shop online info co.uk pages.dev github.io weebly.com duckdns.org'.split(
  ' ',
);
const PATHS = [
  '',
  'signin',
  'wp-login.php',
  'secure/verify/index.php',
  'paypal/login',
  'a9x7k2q8w3z5',
  'about/us',
  'news/2026/summer',
];
const ORDINARY = Object.values(ORDINARY_URLS).flat();

/** How a URL may look; each is given the words of which it is made. */
const SHAPES: readonly ((name: string, lure: string, suffix: string, path: string) => string)[] = [
  (name, lure, suffix, path) => `https://${name}-${lure}.${suffix}/${path}`,
  (name, lure, suffix, path) => `http://${name}.${lure}-center.${suffix}/${path}`,
  (name, lure, suffix, path) => `https://${name}.com.${lure}.${suffix}/${path}`,
  (name, lure, suffix, path) => `https://www.${lure}${name}.${suffix}/${path}?session=8f2e&id=77`,
  (name, _, suffix, path) => `https://${name}.${suffix}/${path}`,
  (name, lure, suffix) => `https://some-${lure}-site-2024.${suffix}/${name}/${lure}`,
  (name, lure, suffix, path) => `https://${name}.com@${lure}-evil.${suffix}/${path}`,
  (_, lure, __, path) => `http://203.0.113.${lure.length}:8443/${path}`,
  (_, lure, suffix, path) => `https://${lure}.xn--pypal-4ve.${suffix}/${path}`,
  (_, lure) => `https://xn--80ak6aa92e.com/${lure}`,
  (name, lure, suffix, path) =>
    `https://nam02.safelinks.protection.outlook.com/?url=${encodeURIComponent(`https://${name}.${lure}.${suffix}/${path}`)}&data=05`,
  (_, lure, suffix) => `https://a.b.c.${lure}.a8f3k2.${suffix}/x?q=1`,
];

const MISSED = ['timeout', 'dns_nxdomain', 'unreachable', 'egress_denied', 'dns_malformed'] as const;

/** What a visitor may meet on a page that no sign was written for. */
const PAGES = [
  ...SIGNAL_PAGES.flatMap(([, present, absent]) => [present, absent]).filter((html) => html.length < 20_000),
  ...htmlVectors.vectors.flatMap(({ html }: { readonly html?: string }) => html ?? []),
  '<title>PayPal</title><link rel=icon href=https://www.paypalobjects.com/x.ico><h1>PayPal</h1><form action=https://collect.example/in.php method=post><input type=email name=e><input type=password></form><p>© 2026 PayPal',
].map((html) => html.replaceAll('paywell.example', 'paypal.com').replaceAll('Paywell', 'PayPal'));

/** Results as the engine gives them for URLs, pages and look-ups of many kinds; a seed always draws the same. */
export function drawnResults(count: number, seed: number): CheckResult[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => drawn(random, index));
}

function drawn(random: Random, index: number): CheckResult {
  const target = targetOf(urlOf(random));
  const observations = seen(random, target.requestUrl);
  return describeCheck({
    requestId: `019c13f7-9800-7a11-8b3c-${index.toString(16).padStart(12, '0')}`,
    via: 'api',
    startedAtMs: Date.UTC(2026, 10, 20, 11, 30),
    elapsedMs: 12 + random.below(4000),
    stagesMs: { observe: 8, assess: 4 },
    target,
    observations,
    assessment: assess(target, observations, MODELS, SETTINGS),
  });
}

function urlOf(random: Random): string {
  if (random.below(4) === 0) return random.pick(ORDINARY);
  const shape = random.pick(SHAPES);
  return shape(random.pick(NAMES), random.pick(LURES), random.pick(SUFFIXES), random.pick(PATHS));
}

function seen(random: Random, url: string): Observations {
  const list = { list: 'ours.txt', entry: 'example.com', line: 1 + random.below(900) };
  const lists = observed({
    blocked: random.below(20) === 0 ? list : null,
    allowed: random.below(20) === 0 ? list : null,
  });
  switch (random.below(4)) {
    case 0:
      return NOTHING;
    case 1:
      return { ...landingObservations(url, hostSeen(random), landingOf(random), hostSeen(random)), lists };
    default:
      return { ...NOTHING, ...hostSeen(random), page: pageSeen(random, url), lists };
  }
}

function landingOf(random: Random): string {
  return random.pick([
    'http://198.51.100.9/x',
    'https://collect.weebly.com/',
    'https://www.example.com/',
    urlOf(random),
  ]);
}

function pageSeen(random: Random, url: string): Observations['page'] {
  if (random.below(5) === 0) return missed(random);
  const bytes = new TextEncoder().encode(random.pick(PAGES));
  const document = random.below(12) === 0 ? null : readPage(bytes, { contentType: 'text/html; charset=utf-8', url });
  return observed(visitOf(targetOf(url), { contentLength: bytes.length, document }));
}

function hostSeen(random: Random): HostObservations {
  const rarely = <T>(value: T, other: T) => (random.below(6) === 0 ? value : other);
  const ageDays = random.pick([0, 1, 3, 12, 90, 700, 4000]);
  const networks = Array.from({ length: 9 }, (_, i) => ({ address: `${20 + i * 7}.1.2.3`, ttlSeconds: 60 }));
  return {
    dns: anyOf(
      random,
      dnsRecords({
        a: rarely(networks, [{ address: '203.0.113.1', ttlSeconds: 300 }]),
        ns: rarely(['ns1.sedoparking.com'], ['ns1.example.net', 'ns2.example.net']),
        mx: rarely([], [{ exchange: 'mail.example.com', preference: 10 }]),
        cname: rarely(['x.duckdns.org'], []),
        spf: rarely(null, 'v=spf1 -all'),
        dmarc: rarely('v=DMARC1; p=reject', null),
      }),
    ),
    registration: anyOf(
      random,
      registration({
        ageDays,
        createdAt: new Date(Date.UTC(2026, 10, 20) - ageDays * 86_400_000).toISOString(),
        statuses: rarely(['client hold', 'pending delete'], ['client transfer prohibited']),
      }),
    ),
    certificate: anyOf(
      random,
      certificate({
        ageDays: random.pick([0, 1, 4, 60]),
        faults: rarely([random.pick(CERTIFICATE_FAULTS)], []),
        trusted: random.below(2) === 0,
        subject: rarely('CN=example.com, O=Example Ltd, C=DE', 'CN=example.com'),
        sans: rarely(
          Array.from({ length: 7 }, (_, i) => `a${i}.example`),
          ['example.com'],
        ),
      }),
    ),
  };
}

function anyOf<T>(random: Random, value: T): Observation<T> {
  return random.below(5) === 0 ? missed(random) : observed(value);
}

function missed(random: Random): Observation<never> {
  if (random.below(2) === 0) return { state: 'skipped', reason: random.pick(['disabled', 'not_applicable'] as const) };
  return { state: 'failed', failure: { code: random.pick(MISSED), detail: 'it did not work' }, elapsedMs: 1 };
}
