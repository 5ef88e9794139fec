import type { ReadAnswers } from './console-answers.ts';
import { sampleResult } from './sample-result.ts';
import { WATCHED } from './sample-watched.ts';

type Answer<Request extends keyof ReadAnswers> = NonNullable<ReadAnswers[Request]>;
type Item<Request extends keyof ReadAnswers> = Answer<Request> extends { items: (infer One)[] } ? One : never;

const day = (n: number, hour = 8) =>
  `2026-11-${String(n).padStart(2, '0')}T${String(hour).padStart(2, '0')}:30:00.000Z`;

const check: Item<'GET admin/checks'> = {
  request_id: '0199f0a4-7d00-7000-8000-000000000001',
  url: 'https://secure-login.parcel-notice.example/track?id=***',
  malicious_probability: 0.31,
  decision: 'allow',
  coverage: 'full',
  caution: true,
  via: 'page',
  decided_by: null,
  reasons: [{ code: 'url.words', weight: 1.4 }],
  model_version: '2026.11.1',
  timestamp: day(23, 16),
};

const session: Answer<'GET session'> = {
  key: 'operations-desk',
  user: null,
  scopes: ['admin'],
  expires_at: day(25, 20),
  idle_seconds: 1800,
};

const status: Answer<'GET admin/status'> = {
  health: {
    state: 'degraded',
    notices: [
      { code: 'backup.old', text: 'the last backup is 9 days old', remedy: 'check backup_dir, or create one now' },
    ],
  },
  conditions: [
    {
      ...{ code: 'list_source_failed', severity: 'error', since: day(23), message: 'The source cannot be used.' },
      ...{ args: { list: 'national-cert', cause: 'its file does not exist' }, remedy: null },
    },
    {
      ...{ code: 'backup_old', severity: 'warning', since: day(22), message: 'The latest backup is 9 days old.' },
      ...{ args: { days: 9 }, remedy: 'See why none was made since.' },
    },
    {
      ...{ code: 'keys_unusable', severity: 'warning', since: day(24), message: 'The keys cannot be read.' },
      ...{ args: {}, remedy: null },
    },
  ],
  list_sources: [
    {
      ...{ name: 'national-cert', tried_at: day(24, 9), renewed_at: day(23), next_at: day(24, 10) },
      problem: 'its file does not exist',
    },
    { name: 'urlhaus', tried_at: day(24, 9), renewed_at: day(24, 9), next_at: null, problem: null },
  ],
  version: '1.4.0',
  started_at: day(20),
  checks: {
    today: 1842,
    by_decision: { allow: 1690, warn: 61, block: 91 },
    by_coverage: { full: 1503, partial: 120, url_only: 219 },
  },
  storage: { bytes: 812_000_000, free_bytes: 41_300_000_000, retention: { days: 90, bytes: null, rows: null } },
  model: { version: '2026.11.1', published_at: '2026-11-02' },
  lists: [
    { name: 'feedback', entries: 14, updated_at: day(22) },
    { name: 'national-cert', entries: 48_210, updated_at: day(24, 3) },
  ],
  packs: [{ name: 'acme-bank', version: 7, publisher: 'headquarters', expires_at: '2027-06-30T23:59:59.999Z' }],
  nodes: 3,
  last_backup: { created_at: day(15, 2), name: 'lurecheck-2026-11-15.backup' },
  feedback_waiting: 2,
  checklist: [
    { code: 'own_brand', done: true },
    { code: 'own_networks', done: false },
    { code: 'tls', done: true },
    { code: 'backup', done: true },
    { code: 'retention', done: false },
    { code: 'history_access', done: true },
  ],
};

const feedback: Answer<'GET admin/feedback'> = {
  items: [
    {
      id: 12,
      etag: '"f12"',
      state: 'waiting',
      url: 'https://secure-login.parcel-notice.example/track?id=***',
      verdict: 'malicious',
      comment: 'It asked for my card number and a code from the bank.',
      created_at: day(24, 7),
      entry: null,
      check,
      default_entry: 'https://secure-login.parcel-notice.example/track',
      default_expires: '2027-02-22T23:59:59.000Z',
    },
    {
      id: 11,
      etag: '"f11"',
      state: 'waiting',
      url: 'https://intranet.supplier.example/sso',
      verdict: 'benign',
      comment: null,
      created_at: day(23, 9),
      entry: null,
      check: null,
      default_entry: 'https://intranet.supplier.example/sso',
      default_expires: '2027-02-21T23:59:59.000Z',
    },
  ],
  next_cursor: null,
};

const list: Item<'GET admin/lists'> = {
  ...{ name: 'national-cert', action: 'block', weight: null, entries: 48_210, quarantined: 120, owner: 'source' },
  ...{ updated_at: day(24, 3), source: 'domains.txt', etag: '"l2"', hits: 1234 },
};

const entry = (n: number): Answer<'GET admin/lists/*'>['entries'][number] => ({
  ...{
    line: n,
    written: n === 2 ? 'login-2.paketversand-münchen.example' : null,
    exception: false,
    entry: `login-${n}.parcel-notice.example`,
    added: day(23, 3),
    hits: n * 7,
  },
  expires: n % 2 === 0 ? null : '2027-01-31T00:00:00.000Z',
  comment: n === 1 ? 'ticket 4711' : null,
  ...{ applied: n !== 3, held_back: n === 3 ? 'platform' : null },
});

const preview: Answer<'POST admin/lists'>['preview'] = {
  checked: 5000,
  changed: 12,
  newly_blocked: 11,
  newly_allowed: 1,
  popular_hits: 1,
  popular: [{ entry: 'www.supplier.example', site: 'supplier.example' }],
  examples: [
    {
      url: 'https://login-2.parcel-notice.example/pay',
      host: 'login-2.parcel-notice.example',
      before: 'warn',
      after: 'block',
    },
    { url: 'https://mail.supplier.example/', host: 'mail.supplier.example', before: 'block', after: 'allow' },
  ],
  invalid_lines: [{ line: 7, text: '', reason: 'not a host, URL, address or network: htp:/broken line' }],
  held_back: [{ entry: 'google.com', line: 3, code: 'popular_site', reason: '' }],
  left_out: [{ entry: 'login-1.parcel-notice.example', line: 9, code: 'duplicate' }],
  omitted: { held_back: 1, invalid: 1, expired: 0, duplicates: 1 },
  removed: { count: 2, first: ['login-1.parcel-notice.example', 'login-2.parcel-notice.example'] },
  entries: 48_212,
};

const key: Item<'GET admin/keys'> = {
  name: 'mail-gateway',
  scopes: ['check', 'batch'],
  limit: 600,
  created_at: day(3),
  expires_at: '2027-11-03T00:00:00.000Z',
  expired: false,
  last_used_at: day(24, 9),
  etag: '"k2"',
};

const keys: Item<'GET admin/keys'>[] = [
  {
    ...{ name: 'operations-desk', scopes: ['admin'], limit: null, created_at: day(1), expires_at: null },
    ...{ expired: false, last_used_at: day(24), etag: '"k1"' },
  },
  key,
  {
    name: 'auditor',
    scopes: ['history', 'history.private'],
    limit: 0,
    created_at: day(9),
    expires_at: day(20),
    expired: true,
    last_used_at: null,
    etag: '"k3"',
  },
];

const node = (n: number): Item<'GET admin/nodes'> => ({
  name: `node-${n}`,
  version: n === 3 ? '1.3.2' : '1.4.0',
  model_version: '2026.11.1',
  seen_at: day(24, 9),
  ahead_seconds: n * 0.012,
  waiting: n === 3 ? 41 : 0,
  set_aside: n === 3 ? 2 : 0,
  lists_version: '',
  started_at: day(20),
  prints: {},
  is_alive: n !== 3,
  differs: n === 3 ? ['version', 'settings'] : [],
});

const attack = (url: string, decision: 'allow' | 'block') => ({
  url,
  trick: 'its domain left of another',
  malicious_probability: decision === 'block' ? 0.993 : 0.02,
  decision,
  before: 'allow' as const,
});

const saved = { version: '1.4.0', checks: { public: 120_300, private: 4210 } };

const pack: Answer<'GET admin/packs'>['active'][number] = {
  fingerprint: '3f9a0c5b7d1e2f40',
  in_force: true,
  name: 'acme-bank',
  version: 7,
  publisher: 'headquarters',
  expires: '2027-06-30T23:59:59.999Z',
  problem: null,
  expired: false,
  revoked: false,
};

const ANSWERS: ReadAnswers = {
  'GET session': session,
  'GET admin/status': status,
  'POST admin/list-sources/renew': { items: status.list_sources },
  'GET admin/checks/*': {
    visibility: 'public',
    client: null,
    delivered: true,
    unreadable: null,
    result: sampleResult(),
  },
  'GET admin/checks': {
    items: [
      check,
      {
        ...check,
        request_id: check.request_id.replace(/1$/, '2'),
        decision: 'block',
        malicious_probability: 0.998,
        caution: false,
        via: 'gate',
        decided_by: { list: 'national-cert', entry: 'parcel-notice.example', source: 'source' },
      },
    ],
    next_cursor: null,
  },
  'GET admin/feedback': feedback,
  'PATCH admin/feedback/*': { preview },
  'GET admin/lists': {
    items: [
      list,
      {
        ...list,
        name: 'console-allow',
        action: 'allow',
        entries: 3,
        quarantined: 0,
        source: null,
        etag: '"l1"',
        hits: 0,
      },
    ],
  },
  'GET admin/lists/*': {
    ...{ ...list, owner: 'operator', total: list.entries, found: 3, next_after: null },
    entries: [entry(1), entry(2), entry(3)],
  },
  'GET admin/lists/*/versions': {
    items: [
      { version: '3f9a0c5b7d1e2f40', created_at: day(24, 3), entries: 48_210, source: 'domains.txt', active: true },
      { version: '1c9a0c5b7d1e2f40', created_at: day(23, 3), entries: 48_102, source: null, active: false },
    ],
  },
  'POST admin/lists': { preview },
  'POST admin/lists/*/entries': { preview },
  'GET admin/list-entries': {
    ...{ found: 1, next_after: null },
    entries: [{ list: list.name, action: 'block', owner: 'operator', etag: list.etag, ...entry(1) }],
  },
  'POST admin/lists/*/removals': { preview },
  'POST admin/lists/test': {
    matches: [
      {
        ...{ list: 'national-cert', entry: 'parcel-notice.example', action: 'block', weight: 4 },
        ...{ expires: null, applied: true },
      },
    ],
    decision: 'block',
  },
  ...WATCHED,
  'GET admin/brands': {
    items: [{ name: 'Example Bank', domains: ['bank.example', 'bank-login.example'], pages: 2, etag: '"b1"' }],
  },
  'POST admin/brands': {
    synthetic_attacks: {
      tried: 20,
      detected_before: 3,
      detected_after: 19,
      own_alarmed: 1,
      examples: [attack('http://bank.example.evil.com/login', 'block'), attack('https://bank.example/login', 'allow')],
    },
  },
  'GET admin/models': {
    items: [
      { version: '2026.11.1', shipped: true, in_force: true, problem: null },
      { version: '2026.10.3', shipped: false, in_force: false, problem: null },
    ],
    etag: '"m1"',
  },
  'PUT admin/models/active': { preview },
  'GET admin/packs': {
    active: [pack],
    available: [{ ...pack, version: 6, expired: true }],
    publishers: [
      { name: 'headquarters', revoked: null, fingerprint: '3f9a0c5b7d1e2f40', since: day(1), follows: null },
    ],
    etag: '"p1"',
  },
  'GET admin/keys': { items: keys },
  'POST admin/keys': { ...key, name: 'proxy', secret: `lck_${'example'.repeat(6)}` },
  'GET admin/nodes': { items: [node(1), node(2), node(3)] },
  'GET admin/backups': {
    items: [
      { name: 'lurecheck-2026-11-15.backup', created_at: day(15, 2), bytes: 214_000_000, complete: true, ...saved },
      { name: 'lurecheck-2026-11-14.backup', created_at: day(14, 2), bytes: 98_000_000, complete: false, ...saved },
    ],
    schedule: { at: '02:30', dir: '/var/backups/lurecheck', keep: 14 },
  },
  'GET admin/audit': {
    items: [
      {
        ...{ sequence: 42, time: day(24, 9), by: 'key operations-desk' },
        address: '10.1.2.3',
        action: 'lists.import',
        subject: 'national-cert',
        detail: [{ name: 'entries', value: '48210' }],
      },
      {
        ...{ sequence: 41, time: day(24, 8), by: 'key operations-desk' },
        address: '10.1.2.3',
        action: 'session.create',
        subject: null,
        detail: [{ name: 'entries', value: '48210' }],
      },
      {
        sequence: 40,
        time: day(23, 8),
        by: 'root (uid 0)',
        address: null,
        action: 'key.create',
        subject: 'auditor',
        detail: [{ name: 'entries', value: '48210' }],
      },
    ],
    next_before: 40,
  },
};

/** What the service answers the console, such as to `GET /api/admin/lists`; null where it is not asked. */
export function sampleAnswer(method: string, path: string): object | null {
  const parts = `${method} ${path.replace(/^\/api\//, '')}`.split('/');
  const isAsked = (request: string) => {
    const named = request.split('/');
    return named.length === parts.length && named.every((part, at) => part === '*' || part === parts[at]);
  };
  return Object.entries(ANSWERS).find(([request]) => isAsked(request))?.[1] ?? null;
}
