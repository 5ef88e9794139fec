import type { CheckResult } from '#src/checks/record/check-result.ts';
import { describeScores } from '#src/checks/record/describe-check.ts';
import { argsInSentence } from '#src/checks/record/stored-result.ts';

/** What a sample may say otherwise. */
export interface SampleText {
  readonly url?: string;
  readonly title?: string;
  readonly foreign?: string;
}

const BASE_LOG_ODDS = Math.log(0.05 / 0.95);

const REASONS = [
  [
    'brand.look_alike',
    "The host writes “paypal” in letters of other scripts, but paypal.com is PayPal's domain.",
    3.42,
  ],
  [
    'page.posts_to_other_site',
    'The form that asks for a password sends it to another site, collect.example.net.',
    2.61,
  ],
  ['registration.created_under_7_days_ago', 'example.co.uk was registered 6 days ago, on 2026-11-14.', 1.74],
  ['url.path', 'The path “/account/verify” is like those of phishing sites.', 0.88],
  ['certificate.name_mismatch', 'The certificate shown for example.co.uk belongs to another name.', 0.61],
  ['url.suffix', 'Of the names known under .co.uk, few are phishing.', -0.57],
  ['dns.no_mail', 'example.co.uk is not set up for mail, as domains made for one purpose often are.', 0.24],
  ['url.query', 'The query is like those of ordinary sites.', -0.11],
] as const;

const DECISIVE = REASONS[0];

/** A blocked check in which everything was looked at. `foreign` stands in every text that a site's owner writes. */
export function sampleResult({ url, title, foreign }: SampleText = {}): CheckResult {
  const sent = url ?? 'http://xn--pypal-4ve.com.login.example.co.uk/account/verify?session=8f2e#top';
  const reasons = REASONS.map(([code, message, weight]) => {
    const component = code.slice(
      0,
      code.indexOf('.'),
    ) as CheckResult['analysis_details']['reasons'][number]['component'];
    return { component, code, message, args: argsInSentence(code, message), weight };
  });
  const logOdds = reasons.reduce((sum, { weight }) => sum + weight, BASE_LOG_ODDS);
  const probability = 1 / (1 + Math.exp(-logOdds));
  const text = (plain: string) => foreign ?? plain;
  const canonical = URL.parse(sent);
  if (canonical) canonical.hash = '';
  return {
    url: sent,
    malicious_probability: probability,
    decision: 'block',
    analysis_details: {
      probability,
      coverage: 'full',
      caution: false,
      html_available: true,
      status_code: 200,
      content_length: 48_213,
      analysis_time: 1.284,
      individual_scores: describeScores({
        url: 0.58,
        brand: 0.968,
        page: 0.931,
        redirects: 0.5,
        dns: 0.56,
        registration: 0.85,
        certificate: 0.648,
      }),
      dns_records: {
        status: 'ok',
        a: [
          { address: '203.0.113.20', ttl_seconds: 300 },
          { address: '203.0.113.21', ttl_seconds: 300 },
        ],
        aaaa: [{ address: '2001:db8::20', ttl_seconds: 300 }],
        cname: [text('edge.hosting.example')],
        ns: [text('ns1.hosting.example'), 'ns2.hosting.example'],
        mx: foreign === undefined ? [] : [{ exchange: foreign, preference: 10 }],
        soa: { primary: text('ns1.hosting.example'), contact: text('hostmaster.hosting.example'), serial: 2026111901 },
        txt: [text('google-site-verification=4ibFUgB-wXLQ')],
        caa: [{ flags: 0, tag: 'issue', value: text('letsencrypt.org') }],
        spf: text('v=spf1 -all'),
        dmarc: null,
        authenticated: false,
      },
      whois_info: {
        status: 'ok',
        source: 'rdap',
        registrar: text('Example Registrar Ltd'),
        created_at: '2026-11-14T09:12:00.000Z',
        updated_at: '2026-11-17T10:00:00.000Z',
        expires_at: '2027-11-14T09:12:00.000Z',
        age_days: 6,
        statuses: [text('client transfer prohibited')],
        nameservers: [text('ns1.hosting.example'), 'ns2.hosting.example'],
        registrant_country: null,
      },
      cert_info: {
        status: 'ok',
        trusted: false,
        faults: ['name_mismatch', 'incomplete_chain'],
        subject: text('CN=edge.hosting.example'),
        issuer: text('C=US, O=Let’s Encrypt, CN=E7'),
        sans: [text('edge.hosting.example'), '*.edge.hosting.example'],
        valid_from: '2026-11-10T00:00:00.000Z',
        valid_to: '2027-02-08T00:00:00.000Z',
        days_remaining: 79,
        age_days: 10,
        key: 'EC P-256',
        signature_algorithm: 'ecdsa-with-SHA384',
        fingerprint_sha256: '7d1a3e0c5b9f24688ac0d2e4f6183a5c7e9b1d3f5a7c9e0b2d4f6a8c0e1f3b5d',
        chain: [text('CN=edge.hosting.example'), 'C=US, O=Let’s Encrypt, CN=E7'],
        protocol: 'TLSv1.3',
      },
      base_log_odds: BASE_LOG_ODDS,
      reasons,
      unavailable: [{ component: 'lists', reason: 'disabled' }],
      thresholds: { warn: 0.5, block: 0.9 },
      normalized_url: canonical?.href ?? sent,
      host_parts: {
        ascii: 'xn--pypal-4ve.com.login.example.co.uk',
        unicode: 'pаypal.com.login.example.co.uk',
        subdomain: 'xn--pypal-4ve.com.login',
        site: 'example.co.uk',
        registrable_domain: 'example.co.uk',
        lookalikes: [{ character: 'а', looks_like: 'a' }],
      },
      final_url: 'https://example.co.uk/signin',
      redirects: [
        {
          url: canonical?.href ?? sent,
          status: 302,
          location: text('https://example.co.uk/signin'),
          address: '203.0.113.20',
          how: 'http',
          followed: true,
          malicious_probability: 0.62,
          decision: 'warn',
        },
      ],
      unwrapped_urls: [],
      brand: { name: 'PayPal', confidence: 0.93, domains: ['paypal.com', 'paypal.me'] },
      page: {
        title: title ?? text('Log in to your account'),
        forms: [
          {
            action: text('https://collect.example.net/save.php'),
            method: 'post',
            fields: ['email', 'password', 'tel'],
          },
          { action: null, method: 'get', fields: [text('search')] },
        ],
      },
      counterfactual: `The decision would be “warn” without this: ${DECISIVE[1]}`,
      counterfactual_reason: { decision: 'warn', code: DECISIVE[0], args: argsInSentence(DECISIVE[0], DECISIVE[1]) },
      timings: { observe: 0.731, assess: 0.004 },
      via: 'page',
      decided_by: null,
      render: null,
      model_version: '2026.11',
    },
    timestamp: '2026-11-20T11:30:00.000Z',
    request_id: '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b',
  };
}

/** The stream in which a check is answered, for a browser's test to put in place of the service's own. */
export function streamOf(result: CheckResult) {
  return { contentType: 'text/event-stream', body: `event: result\ndata: ${JSON.stringify(result)}\n\n` };
}
