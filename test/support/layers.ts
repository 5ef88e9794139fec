/**
 * The folders of `src` from the ground up, with what each holds. A folder imports from those above it in this list, and
 * nothing below it. `training` stands beside the others: two commands load it when they run.
 */
export const FOLDERS = {
  core: 'what everything rests on: settings, failures, addresses, URLs, and the tables of facts',
  network: 'the egress client, and what probes observe with it: pages, DNS, certificates, registries, lists',
  engine: 'the pure path from observations to a verdict, with its models',
  checks: 'one check from request to stored record; the record and the two logs',
  admin: 'what an operator manages of the core: keys, the audit log, and what is active of models, packs and brands',
  service: 'the HTTP API, metrics, syslog, exports and the manual',
  app: 'composition: the configuration, and everything opened and closed in order; `doctor` examines it',
  interfaces: 'the command line and the web page',
  parts: 'optional capabilities, one folder each, which load when the settings enable them',
  training: 'fits and measures the models',
} as const;

export type Folder = keyof typeof FOLDERS;

/** A room is a folder of a folder; `app` and `training` are rooms themselves. */
interface Room {
  /** What it holds, for CONTRIBUTING. */
  readonly about: string;
  /** Folders, rooms and single files from which it may import. */
  readonly values: readonly string[];
  /** Those from which it may import types, beside {@link values}. */
  readonly types?: readonly string[];
}

const BELOW_APP = ['core', 'network', 'engine', 'checks', 'admin', 'service'];

/** What every part may import. */
const FOR_PARTS = [...BELOW_APP, 'app', 'interfaces/cli', 'parts/define-part.ts'];

/** Which room may import from which. A room may always import itself; rooms that are not listed may import nothing. */
export const ROOMS: Readonly<Record<string, Room>> = {
  'core/base': { about: 'failures, clock, logger, settings, IP addresses, files', values: [] },
  'core/url': {
    about: 'URLs and hosts: parsing, canonical form, confusable characters, defanging',
    values: ['core/base'],
  },
  'core/knowledge': {
    about: 'facts as tables, each with source, date and licence: brands, words, hosts, registries',
    values: ['core/base', 'core/url'],
  },
  'core/languages': {
    about: 'the texts for people: one file per language, and the list of languages',
    values: [],
  },
  'core/unwrap': { about: 'links within links (pure)', values: ['core/base', 'core/url', 'core/knowledge'] },
  'network/egress': {
    about: 'the only way to the network: `policy`, `dns`, `connect`, `http` for one hop, `budget`',
    values: ['core'],
  },
  'network/certificate': {
    about: 'certificate chains: facts and faults (pure)',
    values: ['core/base', 'network/egress'],
  },
  'network/registry': { about: 'RDAP and WHOIS answers (pure), and which server to ask', values: ['core'] },
  'network/html': { about: 'bytes become a PageDocument, bounded (pure)', values: ['core'] },
  'network/lists': {
    about: 'allowlists and blocklists: `formats`, and matching; `stored` reads those of the data directory',
    values: ['core'],
  },
  'network/probes': {
    about: 'I/O becomes an Observation; exceptions end here',
    values: ['core', 'network'],
  },
  'engine/reasons': {
    about:
      'the catalogue of reasons: number, code, kind and English sentence of each, and their texts in all languages',
    values: [],
  },
  'engine/lexical': {
    about: 'a URL becomes terms of the trained model (pure)',
    values: ['core'],
    types: ['engine/reasons'],
  },
  'engine/analyzers': {
    about: 'Observations become Evidence (pure)',
    values: ['core', 'network/html', 'network/certificate', 'engine/lexical'],
    types: ['network/registry', 'network/lists', 'network/probes', 'engine/reasons'],
  },
  'engine/fusion': {
    about: 'Evidence becomes a Verdict (pure)',
    values: ['core/base'],
    types: ['engine/analyzers', 'engine/reasons'],
  },
  'engine/assess': {
    about: '`assess(target, observations, models)`: the one path of API, command line, training and re-scoring (pure)',
    values: ['core', 'network/html', 'network/lists', 'engine/lexical', 'engine/analyzers', 'engine/fusion'],
    types: ['network/probes'],
  },
  'engine/campaigns': {
    about: 'what the sites of public checks have in common, in memory',
    values: ['core'],
    types: ['network/probes'],
  },
  'engine/pages': {
    about: 'threads that parse and classify pages',
    values: ['core', 'network/html', 'engine/analyzers'],
    types: ['network/probes'],
  },
  'engine/looks': {
    about: 'pictures of pages and icons become prints, by which copies of the own pages are found (pure)',
    values: ['core', 'engine/message/pdf/undo-prediction.ts'],
    types: ['network/probes'],
  },
  'engine/message': {
    about: 'the links behind the words of a text, of HTML, of a mail (pure; also runs in the browser)',
    values: [
      'core/base/text/in-pieces.ts',
      'core/base/text/untrusted-text.ts',

      'core/url/defang.ts',

      'core/url/read-url.ts',
      'core/knowledge/hosts/forwarding/wrapper-table.ts',
      'core/unwrap',

      'core/knowledge/hosts/host-endings.ts',
      'core/knowledge/words/mail-words.ts',
      'network/html',
    ],
  },
  'engine/mail-verdict': {
    about:
      '`assessMessage(message, links, models)`: the verdict on a mail as a whole, by the verdicts on its links (pure)',
    values: ['core', 'engine/analyzers', 'engine/fusion', 'engine/models/message.json'],
    types: ['engine/message', 'engine/reasons'],
  },
  'engine/models': { about: 'the trained models and their card', values: [] },
  'checks/record': {
    about: 'the shape of a check in answers, logs and pages; secrets are masked here',
    values: ['core', 'engine/reasons', 'engine/analyzers/index.ts', 'engine/mail-verdict/message-components.ts'],
    types: ['network', 'engine'],
  },
  'checks/store': {
    about:
      'the logs through Drizzle. Two SQLite files: `file`, `ledger` (what a log should hold), `write` (group commit), `domains` (their index), `read`, `upkeep`, `deletions`, `recovery`.',
    values: ['core/base', 'core/url', 'checks/record'],
  },
  'checks/check': {
    about: 'one check: admit, observe, assess, log; public and private checks share the network only',
    values: ['core', 'network', 'engine', 'checks/record', 'checks/store'],
  },
  'admin/audit': { about: 'the audit log', values: ['core', 'checks/store'] },
  'admin/keys': { about: 'API keys', values: ['core', 'checks/record', 'admin/audit'] },
  'admin/active': {
    about: 'what is active: model, thresholds, configured brands and packs of the data directory, opened together',
    values: ['core', 'engine', 'checks/store'],
    types: ['network/lists'],
  },
  'service/manual': { about: 'the operator manual, as Markdown, for a terminal, and as a page', values: ['core/base'] },
  'service/server': {
    about: 'Elysia: `http`, `check`, `history`, `session`, `admin`, `limiter`, `docs`, and the files of the web page',
    values: ['core', 'network/lists', 'checks', 'admin', 'service/manual'],
    types: ['engine/mail-verdict'],
  },
  app: { about: FOLDERS.app, values: BELOW_APP },
  'interfaces/ui': {
    about: 'the web page, as it runs in the browser',
    values: [
      'core/base/text/in-pieces.ts',
      'core/base/text/untrusted-text.ts',
      'core/base/log-odds.ts',
      'core/languages/languages.ts',
      'core/url/defang.ts',
      'core/url/readable-name.ts',
      'engine/message',
      'engine/reasons/message-texts.json',
      'engine/reasons/texts.json',
      'checks/record/reasons/caution.ts',
      'checks/record/without-password.ts',
    ],
    types: [
      'core/languages',
      'engine/fusion',
      'engine/reasons',
      'engine/analyzers/index.ts',
      'checks/record',
      'service/server',
    ],
  },
  'interfaces/cli': { about: 'the commands; `main.ts` starts them', values: [...BELOW_APP, 'app'] },
  'parts/define-part.ts': {
    about: 'the shape of a part',
    values: ['core', 'app', 'interfaces/cli'],
  },
  'parts/console': {
    about: 'sessions of operators, and what they read and change over HTTP',
    values: [
      ...FOR_PARTS,
      'parts/backup/archive',
      'parts/fleet',
      'parts/lists',
      'parts/postgres',
      'parts/proxy',
      'parts/tuning/feedback',
    ],
  },
  'parts/console-elements': {
    about: 'forms, tables, rows and requests of the screens of the console, as they run in the browser',
    values: ['interfaces/ui', 'checks/record/reasons/caution.ts'],
    types: ['checks/record', 'service/server', 'parts/console', 'parts/lists/routes/list-answer.ts'],
  },
  'parts/console-screens': {
    about: 'the screens of the console and their frame, which load once an operator opens the console',
    values: ['interfaces/ui', 'parts/console-elements'],
    types: [
      ...['core/languages', 'engine/fusion', 'checks/record', 'service/server', 'parts/console'],
      ...['parts/backup/backup-answer.ts', 'parts/lists/routes/list-answer.ts', 'parts/proxy/gate-answer.ts'],
    ],
  },
  'parts/browser': {
    about: 'the browser that visits pages which cannot be read without scripts',
    values: FOR_PARTS,
  },
  'parts/lists': {
    about: 'lists of the data directory: import, preview, rollback, scheduled sources, with their command and routes',
    values: [...FOR_PARTS, 'parts/tuning/rescore', 'parts/feeds', 'parts/export/blocked'],
  },
  'parts/feeds': {
    about: 'what is blocked, as text that appliances pull, as the content of a zone, and as answers to MISP',
    values: [...FOR_PARTS, 'parts/export', 'parts/packs/packs'],
  },
  'parts/feeds/zone': {
    about: 'the response policy zone, transferred by name servers: sockets, notifications, metrics',
    values: FOR_PARTS,
  },
  'parts/feeds/zone/protocol': {
    about: 'the primary of the zone (AXFR, TSIG), the protocol alone: queries to answers, without a socket',
    values: ['core/base', 'network/egress/dns/name.ts'],
  },
  'parts/feeds/misp': {
    about: 'the module for MISP: its description, questions and answers (pure)',
    values: ['core'],
    types: ['checks/record'],
  },
  'parts/fleet': {
    about: 'several nodes as one service: shared settings, clients and feedback, with their commands',
    values: [...FOR_PARTS, 'parts/packs/packs', 'parts/postgres', 'parts/tuning/rescore'],
  },
  'parts/fleet/limiter': { about: 'clients counted in Redis', values: ['core', 'service/server'] },
  'parts/fleet/shared': {
    about: 'what the nodes share through their database: documents with their files, and feedback',
    values: ['core', 'checks/store', 'parts/postgres'],
  },
  'parts/postgres': {
    about: 'the logs as two PostgreSQL databases, through Drizzle; loaded if a setting names them',
    values: ['core/base', 'core/url', 'checks/record', 'checks/store', 'parts/define-part.ts'],
  },
  'parts/mail': {
    about: 'the milter of mail servers, which decides on the links of mails',
    values: [...FOR_PARTS, 'parts/proxy'],
  },
  'parts/mail/milter': {
    about: 'the milter protocol alone: bytes to mails, decisions to bytes, without a socket',
    values: ['core/base'],
  },
  'parts/proxy': {
    about: 'the gate of web proxies: listeners, block page, routes, command',
    values: [...FOR_PARTS, 'parts/lists'],
  },
  'parts/proxy/gate': {
    about: 'the rule on which links may pass a proxy: memory, deep lookups, watch and hold, counts',
    values: ['core', 'network/lists', 'network/probes', 'checks/record'],
    types: ['engine/fusion', 'checks/store'],
  },
  'parts/proxy/icap': {
    about: 'ICAP (RFC 3507), the protocol alone: bytes to requests, answers to bytes, without a socket',
    values: ['core/base'],
  },
  'parts/backup': {
    about: 'backups of a data directory, and their key: command, routes and examination',
    values: [...FOR_PARTS, 'parts/host/installation'],
  },
  'parts/backup/archive': {
    about: 'backups: create, verify, restore, schedule',
    values: ['core', 'network/lists', 'checks/store', 'admin/audit', 'admin/keys', 'parts/packs/packs', 'admin/active'],
  },
  'parts/host': {
    about: 'what keeps a service on its host: upgrades and the system service, with their commands',
    values: FOR_PARTS,
  },
  'parts/host/upgrade': {
    about: 'upgrade of the executable, and its rollback',
    values: ['core', 'checks', 'parts/backup/archive', 'parts/host/installation'],
  },
  'parts/host/installation': {
    about: 'the service in systemd or OpenRC: install, remove, find, ask',
    values: ['core'],
  },
  'parts/packs': {
    about: 'signed update packs: their commands',
    values: [...FOR_PARTS, 'parts/tuning', 'parts/lists'],
  },
  'parts/packs/packs': {
    about: 'signed update packs: format, seal, trusted publishers, contents',
    values: ['core', 'network/lists', 'engine', 'admin/active'],
  },
  'parts/packs/updates': {
    about: 'packs are installed, previewed, listed, and followed in a drop folder',
    values: [
      'core',
      'network/lists',
      'engine',
      'checks/store',
      'admin/audit',
      'app/scoring/classifier.ts',
      'parts/packs/packs',
      'admin/active',
      'parts/lists',
      'parts/tuning/rescore',
    ],
    types: ['service/server'],
  },
  'parts/tuning': {
    about: 'models, brands, re-scoring and feedback: their commands',
    values: [...FOR_PARTS, 'parts/export', 'parts/fleet', 'parts/lists'],
  },
  'parts/tuning/models': {
    about: 'models are compared',
    values: ['core', 'network/probes', 'engine', 'checks/record'],
  },
  'parts/tuning/model-changes': {
    about: 'models are found, listed, selected and rolled back',
    values: ['core', 'admin/audit', 'parts/tuning/models', 'parts/tuning/rescore', 'admin/active'],
    types: ['engine', 'parts/lists'],
  },
  'parts/tuning/rescore': {
    about: 'stored checks are scored again by the active model',
    values: ['core', 'network', 'engine', 'checks', 'admin/active', 'app/scoring/classifier.ts'],
    types: ['parts/tuning/models'],
  },
  'parts/tuning/feedback': {
    about: 'accepted feedback becomes a list entry',
    values: ['core', 'network/lists', 'checks', 'admin/audit', 'admin/active', 'parts/lists'],
  },
  'parts/tuning/brands': {
    about: 'configured brands are changed, and tried on synthetic attacks',
    values: [
      ...['core', 'network/html', 'network/probes', 'engine', 'checks/store/pictures/own-picture.ts'],
      ...['admin/audit', 'admin/active'],
    ],
  },
  'parts/tuning/look': {
    about: 'the own pages of a brand: visited or shown from a file, for their look and icon',
    values: [...FOR_PARTS, 'parts/browser', 'parts/tuning/brands'],
  },
  'parts/monitoring': {
    about: 'what an operator is notified of: alerts, notifications, metrics, a log server',
    values: [...FOR_PARTS, 'parts/backup', 'parts/proxy', 'parts/export', 'parts/fleet'],
  },
  'parts/monitoring/alerts': {
    about: 'conditions that an operator is notified of',
    values: ['parts/backup/archive', 'core', 'network/lists', 'checks/store', 'admin/keys'],
  },
  'parts/monitoring/notifications': {
    about: 'webhook and mail on blocked checks, feedback and alerts',
    values: ['core', 'checks/record'],
    types: ['parts/monitoring/alerts'],
  },
  'parts/monitoring/syslog': {
    about: 'events sent to a log server: `message` (RFC 5424), `sender` (queue), `transport`',
    values: ['core/base'],
  },
  'parts/monitoring/metrics': {
    about: 'Prometheus metrics',
    values: ['core', 'network', 'checks', 'app/parts/meters.ts'],
    types: ['service/server', 'app/parts', 'parts/fleet/limiter'],
  },
  'parts/export': { about: 'checks in the formats of other programs: one file per format', values: FOR_PARTS },
  'parts/export/blocked': {
    about: 'what is blocked, in the formats of other programs: one file per format (pure)',
    values: ['core', 'network/lists', 'checks/record', 'parts/export'],
    types: ['checks/store'],
  },
  training: {
    about: 'fits and measures the models; loaded by its two commands alone',
    values: [
      'core',
      'network/html',
      // What a check without a network observes, and one of a saved page.
      'network/probes/observations.ts',
      'network/probes/page-visit.ts',
      'engine',
    ],
    types: ['network/probes'],
  },
};

/** The room of a file, by its path below `src`, the innermost one; empty for `main.ts`. */
export function roomOf(path: string): string {
  const names = path.split('/');
  if (names.length === 1) return '';
  const rooms = names.map((_, at) => names.slice(0, names.length - at).join('/'));
  return rooms.find((room) => Object.hasOwn(ROOMS, room)) ?? rooms.at(-2) ?? '';
}

/** The folder of a file, by its path below `src`. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.indexOf('/')));
