import { readKeyFile } from '#src/admin/keys/api-key.ts';
import { clientAddress, UNIX_PEER } from '#src/core/base/addresses/client-address.ts';
import { formatCidr, formatIp } from '#src/core/base/addresses/ip.ts';
import { DAY_MS, systemClock } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { openDnsUpstream } from '#src/network/egress/dns/upstream.ts';
import { createPolicy } from '#src/network/egress/policy/policy.ts';
import { openLists } from '#src/network/lists/local-lists.ts';
import type { StoredVersion } from '#src/network/lists/stored/list-state.ts';
import type { ConfigFor } from '../config.ts';
import { type FactAge, factAgesWith, OLDEST_FACTS } from '../fact-ages.ts';
import { ALL_PARTS } from '../parts.ts';
import { type ClassifierFallback, openClassifier } from '../scoring/classifier.ts';
import { examineData } from './examine-data.ts';
import { better, broken, type Examination, type Finding, well } from './finding.ts';

/** Addresses that a link may lead to and that most hosts must not reach: one of each kind. */
const INNER = {
  'this host': '127.0.0.1',
  'private networks': '10.0.0.1',
  'cloud metadata': '169.254.169.254',
};

/** An address for documentation (RFC 5737), which no client has. */
const STRANGER = '198.51.100.7';

/** True if names can be looked up. */
const examineResolver: Examination = async (config) => {
  if (config.network === 'none') return [well('resolver', 'skipped (network = none)')];
  const logger = createLogger('error', () => {});
  using dns = openDnsUpstream(config, { clock: systemClock, logger });
  if (await dns.isAlive()) return [well('resolver', 'A resolver answers.')];
  const advice = 'Set dns_server to one that answers; on an air-gapped host, set network = "none".';
  return [broken('resolver', 'No resolver answers.', advice)];
};

/** Reports the addresses that checks may reach, by the policy alone, without sending a packet. */
const examineEgress: Examination = async (config) => {
  if (config.network !== 'full') return [well('egress', `Checks open no connections (network = ${config.network}).`)];
  const policy = createPolicy(config);
  const open = Object.entries(INNER).filter(([, address]) => policy.checkAddress(address, 443) === null);
  if (open.length === 0) return [well('egress', 'Checks cannot reach this host, private networks or cloud metadata.')];
  const text = `Checks can reach ${open.map(([what]) => what).join(', ')}.`;
  return [better('egress', text, 'Clients can use links to probe them: restrict egress_allow to what is needed.')];
};

/** Whom a request that came through a proxy would count for. */
const examineProxies: Examination = async ({ trusted_proxy: trusted }) => {
  if (trusted.length === 0) {
    return [well('proxy', 'No proxy is trusted: each request is attributed to its source address.')];
  }
  return trusted.map((proxy) => {
    const peer = proxy === UNIX_PEER ? UNIX_PEER : formatIp(proxy.network);
    const client = clientAddress(peer, new Headers({ 'x-forwarded-for': STRANGER }), trusted);
    const shown = proxy === UNIX_PEER ? 'a unix socket' : formatCidr(proxy);
    const said = `A request of ${STRANGER} that comes through ${shown} is attributed to ${client ? formatIp(client) : 'nobody'}.`;
    if (proxy !== UNIX_PEER && proxy.bits === 0) {
      return better(
        'proxy',
        said,
        'Every address is a trusted proxy and can impersonate any client: list your own proxies only.',
      );
    }
    return client && formatIp(client) === STRANGER
      ? well('proxy', said)
      : better('proxy', said, 'Another block of trusted proxies contains the clients, too: make it narrower.');
  });
};

/** Age in days at which a list is probably outdated. */
const OLD_LIST_DAYS = 90;

/** The operator's lists, and how old they are. */
const examineLists: Examination = async (config) => {
  try {
    const { block, allow, stored } = await openLists(config);
    if (block.length + allow.length + stored.length === 0) return [well('lists', 'No lists are configured.')];
    return [
      ...[...block, ...allow].map(({ name, index: { size }, changedAtMs }) => ageOf(name, size, changedAtMs)),
      ...stored.flatMap(({ version }) => [
        ageOf(version.name, version.entries, Date.parse(version.changed_at)),
        ...heldBackOf(version),
      ]),
    ];
  } catch (error) {
    return [
      broken(
        'lists',
        problemsOf(error),
        'Correct the file or remove its setting; roll back a list of the data directory with lurecheck lists rollback.',
      ),
    ];
  }
};

function ageOf(name: string, entries: number, changedAtMs: number | null): Finding {
  const days = changedAtMs === null ? 0 : Math.floor((systemClock.now() - changedAtMs) / DAY_MS);
  const said = `${name} has ${counted(entries, 'entry', 'entries')}, last changed ${days === 0 ? 'today' : `${counted(days, 'day')} ago`}.`;
  return days <= OLD_LIST_DAYS
    ? well('lists', said)
    : better('lists', said, 'Check that the job that updates it still runs.');
}

function heldBackOf({ name, quarantined }: StoredVersion): Finding[] {
  if (quarantined === 0) return [];
  const said = `Quarantined because they cover shared or popular sites: ${counted(quarantined, 'entry', 'entries')} of ${name}.`;
  return [better('lists', said, `Review them: lurecheck lists show ${name}.`)];
}

/** The model and the configured brands, each by its own file; packs have an examination of their own. */
const examineModels: Examination = async ({ data_dir: dataDir }) => {
  const faults: Finding[] = [];
  const onFault: ClassifierFallback['onFault'] = (file, error) => {
    if (file !== 'packs') faults.push(broken(file, problemsOf(error), file === 'brands' ? NO_BRAND : ANOTHER_MODEL));
  };
  const { models, packs } = await openClassifier(dataDir, undefined, { now: null, onFault });
  return faults.length > 0
    ? faults
    : [well('model', `The model ${models.version} is active.`), ageOfFacts(factAgesWith(packs.tables))];
};

/** Registries, platforms and services change so much in that time that some answers are missed. */
const OLD_FACTS_DAYS = 500;

function ageOfFacts(ages: readonly FactAge[]): Finding {
  const { table, retrieved } = ages[0] ?? OLDEST_FACTS;
  const days = Math.floor((systemClock.now() - Date.parse(retrieved)) / DAY_MS);
  const said = `The oldest of ${counted(ages.length, 'table')} of facts, ${table}, is of ${retrieved}, ${counted(days, 'day')} ago.`;
  return days <= OLD_FACTS_DAYS
    ? well('model', said)
    : better('model', said, 'Upgrade: a release renews the facts; a pack can renew registry servers.');
}

const ANOTHER_MODEL = 'Select another: lurecheck model use shipped.';
const NO_BRAND = 'Until then, no configured brand is active.';

function problemsOf(error: unknown): string {
  if (error instanceof OperationError) return error.problems.join('; ');
  throw error;
}

/** The keys of clients. */
const examineKeys: Examination = async ({ data_dir: dataDir }) => {
  try {
    return [well('keys', `${counted(readKeyFile(dataDir).length, 'key')} usable.`)];
  } catch (error) {
    return [broken('keys', problemsOf(error), 'Until then, the service accepts no key.')];
  }
};

/** The order of the report. */
const ORDER: readonly string[] = [
  ...['service', 'data', 'backup_key', 'models', 'clock', 'lists', 'keys', 'alerts', 'packs', 'feedback'],
  ...['resolver', 'egress', 'browser', 'proxies', 'notifications', 'databases', 'limiter', 'gate', 'milter', 'zone'],
];

/** The examinations of the core by what a failed one is called. */
const EXAMINATIONS: Readonly<Record<string, Examination>> = {
  data: examineData,
  models: examineModels,
  lists: examineLists,
  keys: examineKeys,
  resolver: examineResolver,
  egress: examineEgress,
  proxies: examineProxies,
};

/** Examines everything that a service with these settings needs. */
export async function examine(config: ConfigFor<'doctor'>): Promise<readonly Finding[]> {
  const ofCore = Object.entries(EXAMINATIONS).map(([name, examination]) => [name, async () => examination] as const);
  const ofParts = ALL_PARTS.flatMap(({ examine: loaders }) => Object.entries(loaders));
  const all = [...ofCore, ...ofParts].toSorted(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b));
  const findings = all.map(async ([name, load]) => {
    try {
      return await (await load())(config);
    } catch (error) {
      // The others are wanted all the more.
      const why = error instanceof Error ? error.message : String(error);
      return [
        broken(
          name,
          `This part cannot be examined: ${why}`,
          'See the other parts first, disk and permissions above all.',
        ),
      ];
    }
  });
  return (await Promise.all(findings)).flat();
}
