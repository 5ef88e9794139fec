import type { ReadAnswers } from './console-answers.ts';

const at = (hour: number) => `2026-11-24T${String(hour).padStart(2, '0')}:00:00.000Z`;

/** Answers about what passes, and about the settings, to the requests of the console. */
export const WATCHED = {
  'GET admin/activity': {
    logs: ['public', 'private'],
    hours: Array.from({ length: 24 }, (_, hour) => ({
      ...{ start: at(hour), allow: 40 + ((hour * 7) % 23), warn: hour % 4, block: (hour * 5) % 7 },
    })),
    blocked_sites: [
      { name: 'parcel-notice.example', checks: 41 },
      { name: 'login-nordwerk.example', checks: 9 },
      { name: `${'very-long-name-of-a-site-'.repeat(2)}.example`, checks: 1 },
    ],
    blocked_counted: 51,
    node: {
      since: at(2),
      sources: [
        { via: 'page', checks: 210 },
        { via: 'api', checks: 904 },
        { via: 'gate', checks: 37 },
      ],
      gate: { requests: 18_204, unexamined: 12 },
      mail: { requests: 904, unexamined: 31 },
    },
  },
  'POST admin/gate/test': {
    ...{ url: 'https://update.supplier.example/login', mode: 'watch', rule: 'list-blocks', would_hold: true },
    ...{ unexamined: false, decision: 'block', malicious_probability: null, gate_block: 0.9 },
    reasons: [{ code: 'lists.kept_blocked', weight: 12 }],
    decided_by: { list: 'national-cert', entry: 'supplier.example', source: 'source' },
  },
  'GET admin/gate': {
    mode: 'watch',
    watching_since: '2026-11-10T08:30:00.000Z',
    since: '2026-11-10T08:30:00.000Z',
    passed: { requests: 18_204, unexamined: 12 },
    hosts: [
      {
        ...{ host: 'update.supplier.example', records: 14, clients: 3, held: 0, rules: ['deep'] },
        ...{ reasons: ['url.popular_site'], via: 'gate', last: '2026-11-24T08:30:00.000Z' },
        decided_by: { list: 'national-cert', entry: 'supplier.example', source: 'source' },
      },
      {
        ...{ host: 'login-nordwerk.example', records: 2, clients: 1, held: 2, rules: ['spelling'] },
        ...{ reasons: ['url.brand_in_subdomain'], via: 'mail', decided_by: null, last: '2026-11-24T06:10:00.000Z' },
      },
    ],
  },
  'GET admin/settings': {
    items: [
      {
        ...{ name: 'listen', description: 'Addresses of the service.', common: true },
        ...{ value: '0.0.0.0:8443', source: 'file', reloadable: false },
      },
      {
        ...{ name: 'gate_mode', description: 'Hold suspicious links, or only record them.', common: false },
        ...{ value: 'watch', source: 'default', reloadable: true },
      },
      {
        ...{ name: 'egress_allow', description: 'Networks that checks may reach.', common: false },
        ...{ value: ['10.0.0.0/8', '192.168.0.0/16'], source: 'environment', reloadable: true },
      },
      {
        ...{ name: 'contact', description: 'Contact of the operator, shown to clients.', common: true },
        ...{ value: null, source: 'default', reloadable: true },
      },
    ],
  },
} satisfies ReadAnswers;
