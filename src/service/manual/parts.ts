/** Parts of the manual in reading order, each with its content. */
export const PARTS = {
  operation: 'where to start, and what to read next',
  installing: 'on air-gapped hosts, as a service, as a container; settings; upgrades',
  proxies: 'nginx, HAProxy and Caddy, each with a tested example',
  console: 'sign in with a key, see and change everything in the browser, or by API',
  clients: 'limits, API keys, batches',
  blocking: 'allowlists and blocklists: import, preview, export, rollback',
  'drop-in':
    'feeds for firewalls and resolvers, zone transfer, web proxies by ICAP, mail servers, MISP, names for a SIEM',
  tuning: 'configured brands, models, feedback, re-scoring',
  browser: 'pages that scripts draw: set-up, isolation, pictures, costs',
  packs: 'signed update packs with models, thresholds, lists and brands',
  monitoring: 'health, metrics, events, a log server, notifications',
  alerts: 'each alert: its meaning and remedy',
  data: 'logs, retention, exports, backups',
  privacy: 'what is stored where, for how long, and how to delete it',
  reference: 'settings, exit codes and output formats',
  sizing: 'processors, memory and disk, as measured',
  threats: 'what the service protects against, and what is left to the operator',
  fleet: 'several nodes that share logs in PostgreSQL and limits in Redis',
} as const;

/** Name of a part, as in `lurecheck help NAME`, at `/help/NAME` and of its file. */
export type PartName = keyof typeof PARTS;

/** Former names of parts, which help and `/help/NAME` still accept. */
const FORMER_NAMES: ReadonlyMap<string, PartName> = new Map([
  ['teaching', 'tuning'],
  ['watching', 'monitoring'],
]);

/** Returns true if there is a part of that name. */
export const isPart = (name: string): name is PartName => Object.hasOwn(PARTS, name);

/** Returns the part of that name or former name; null if there is none. */
export const findPart = (name: string): PartName | null => (isPart(name) ? name : (FORMER_NAMES.get(name) ?? null));
