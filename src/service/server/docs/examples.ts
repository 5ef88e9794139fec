import type { About } from '#src/checks/record/about.ts';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { describeScores } from '#src/checks/record/describe-check.ts';
import type { HistoryPage, HistorySummary } from '#src/checks/record/history-page.ts';
import type { Stats } from '#src/checks/record/stats.ts';
import { type BatchAnswer, failedItem } from '../check/batch-answer.ts';
import { badFields } from '../http/problem.ts';
import type { MessageAnswer } from '../message/message-answer.ts';

const URL_SENT = 'http://paypal.com.account-verify.example/login?session=8f2e';

/** Retention in the default settings. */
const retention = { days: 90, bytes: 2_000_000_000, rows: null };

const checkResult: CheckResult = {
  url: URL_SENT,
  malicious_probability: 0.9152395,
  decision: 'block',
  analysis_details: {
    probability: 0.9152395,
    coverage: 'url_only',
    caution: false,
    html_available: false,
    status_code: 0,
    content_length: 0,
    analysis_time: 0.041,
    individual_scores: describeScores({ url: 0.9951 }),
    dns_records: { status: 'not_found' },
    whois_info: { status: 'disabled' },
    cert_info: { status: 'unreachable' },
    base_log_odds: -2.944439,
    reasons: [
      {
        component: 'url',
        code: 'url.brand_in_subdomain',
        message: 'The address begins with paypal.com but belongs to account-verify.example',
        args: {},
        weight: 5.3238,
      },
    ],
    unavailable: [
      { component: 'dns', reason: 'not_found' },
      { component: 'page', reason: 'not_found' },
    ],
    thresholds: { warn: 0.5, block: 0.9 },
    normalized_url: URL_SENT,
    host_parts: {
      ascii: 'paypal.com.account-verify.example',
      unicode: 'paypal.com.account-verify.example',
      subdomain: 'paypal.com',
      site: 'account-verify.example',
      registrable_domain: 'account-verify.example',
      lookalikes: [],
    },
    final_url: null,
    redirects: [],
    unwrapped_urls: [],
    brand: null,
    page: null,
    counterfactual: null,
    counterfactual_reason: null,
    timings: { observe: 0.038, assess: 0.002 },
    model_version: '2026.01',
    via: 'api',
    decided_by: null,
    render: null,
  },
  timestamp: '2026-01-31T12:00:00.000Z',
  request_id: '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b',
};

const historyPage: HistoryPage = {
  items: [
    {
      request_id: checkResult.request_id,
      url: 'http://paypal.com.account-verify.example/login?session=***',
      malicious_probability: checkResult.malicious_probability,
      decision: checkResult.decision,
      coverage: checkResult.analysis_details.coverage,
      caution: checkResult.analysis_details.caution,
      via: 'api',
      decided_by: null,
      reasons: [{ code: 'url.brand_in_subdomain', weight: 5.3 }],
      model_version: checkResult.analysis_details.model_version,
      timestamp: checkResult.timestamp,
    },
  ],
  next_cursor: null,
};

const historySummary: HistorySummary = {
  checks: { allow: 1, warn: 0, block: 3 },
  first_at: '2026-01-29T08:10:00.000Z',
  last_at: checkResult.timestamp,
  days: [
    { start: '2026-01-29T00:00:00.000Z', allow: 1, warn: 0, block: 1 },
    { start: '2026-01-31T00:00:00.000Z', allow: 0, warn: 0, block: 2 },
  ],
  counted_back_to: null,
};

const stats: Stats = {
  hours: [{ start: '2026-01-31T12:00:00.000Z', allow: 118, warn: 3, block: 2 }],
  days: [{ start: '2026-01-31T00:00:00.000Z', allow: 902, warn: 31, block: 17 }],
  messages: {
    hours: [{ start: '2026-01-31T12:00:00.000Z', allow: 4, warn: 2, block: 1 }],
    days: [{ start: '2026-01-31T00:00:00.000Z', allow: 31, warn: 12, block: 5 }],
  },
  probabilities: [
    { from: 0, until: 0.1, checks: 893 },
    { from: 0.1, until: 1, checks: 57 },
  ],
  blocked_sites: [{ name: 'account-verify.example', checks: 4 }],
  blocked_suffixes: [{ name: 'example', checks: 4 }],
  answer_seconds: {
    ...{ p50: 0.31, p90: 1.4, p99: 4.2 },
    histogram: [
      { from: 0, until: 0.5, checks: 627 },
      { from: 0.5, until: 4, checks: 310 },
      { from: 4, until: 8, checks: 13 },
    ],
  },
  disk_free_percent: 71,
  retention,
};

const about: About = {
  version: '1.0.0',
  model: { version: '2026.01', date: '2026-01-15' },
  oldest_facts: { table: 'rdap-servers.json', retrieved: '2026-02-13' },
  network: 'full',
  checks_per_minute: 20,
  contact: 'security@company.example',
  lists: [{ name: 'blocked.txt', action: 'block', entries: 1204, changed_at: '2026-01-30T06:00:00.000Z' }],
  packs: [
    { name: 'acme-bank', version: 7, publisher: 'Acme', expires_at: '2026-07-31T23:59:59.999Z', state: 'in_force' },
  ],
  retention,
  needs_first_key: false,
  license: 'Apache-2.0',
  result_key: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

const stages = `event: stage
data: {"stage":"observe","state":"started","elapsed_seconds":0}

event: signature
data: {"signature":"q8v1dYJpJ0v4wG7Qm2n6h1b9o3x5k8t0"}

event: result
data: ${JSON.stringify(checkResult)}

`;

const batchAnswer: BatchAnswer = {
  items: [
    checkResult,
    failedItem(
      'ftp://example.com/',
      badFields([
        { field: 'url', code: 'unsupported_scheme', message: 'must begin with http:// or https://, not ftp:' },
      ]),
      '019c13f7-9801-7c52-9d0e-1a2b3c4d5e6f',
    ),
  ],
};

const messageAnswer: MessageAnswer = {
  request_id: checkResult.request_id,
  timestamp: checkResult.timestamp,
  decision: 'warn',
  malicious_probability: 0.6225,
  base_log_odds: -2.944439,
  reasons: [
    {
      component: 'sender',
      code: 'sender.brand_in_name',
      message: 'The sender’s name claims PayPal, but mailer.example is not its domain.',
      args: { brand: 'PayPal', site: 'mailer.example' },
      weight: 2.4,
    },
    {
      component: 'lure',
      code: 'lure.account',
      message: 'It is about a locked or unconfirmed account: “account is limited”.',
      args: { words: 'account is limited' },
      weight: 1.0444,
    },
  ],
  thresholds: { warn: 0.488, block: 0.87 },
  model_version: 'message-1',
  links: [
    {
      url: 'http://paypal.com.account-verify.example/',
      malicious_probability: 0.31,
      decision: 'allow',
      request_id: '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6c',
    },
  ],
  link_count: 1,
  unchecked: 0,
  unread: 0,
  is_whole: true,
  caution: false,
};

/** An example of each body in the OpenAPI document. */
export const EXAMPLES = {
  checkRequest: { url: URL_SENT, private_mode: false },
  checkResult,
  batchRequest: { urls: [URL_SENT, 'ftp://example.com/'], private_mode: false },
  batchAnswer,
  messageRequest: {
    headers: 'From: "PayPal" <service@mailer.example>\r\nSubject: Your account is limited',
    html: '<a href="http://paypal.com.account-verify.example/">Verify now</a>',
  },
  messageAnswer,
  historyPage,
  historySummary,
  stats,
  about,
  feedbackRequest: { request_id: checkResult.request_id, verdict: 'malicious', comment: 'It asked for my PIN.' },
  verifyRequest: { link: 'q1YqLcrJTFayUkrKTE5OLU5WqgUA.q8v1dYJpJ0v4wG7Qm2n6h1b9o3x5k8t0' },
  verification: { is_signed: false },
  resultVerification: {
    is_signed: true,
    today: {
      malicious_probability: 0.998,
      decision: 'block',
      caution: false,
      model_version: '2026.01',
      timestamp: '2026-01-31T12:00:00.000Z',
    },
  },
  signRequest: {
    link: 'q1YqLcrJTFayUkrKTE5OLU5WqgUA.q8v1dYJpJ0v4wG7Qm2n6h1b9o3x5k8t0',
    says: 'www.paypal.com',
    goes_to: 'paypal-login.verify-account.cyou',
  },
  signed: { signature: 'q8v1dYJpJ0v4wG7Qm2n6h1b9o3x5k8t0' },
  stages,
};
