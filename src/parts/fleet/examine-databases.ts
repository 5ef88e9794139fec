import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { ConfigFor } from '#src/app/config.ts';
import { better, broken, type Examination, type Finding, well } from '#src/app/doctor/finding.ts';
import { type DatabaseUrl, showDatabaseUrl } from '#src/checks/store/database-url.ts';
import { readClientKey } from '#src/checks/store/write/client-hash.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { withAllProblems } from '#src/core/base/settings/setting-source.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { createTrust, performTlsHandshake } from '#src/network/egress/connect/tls-handshake.ts';
import type { DatabaseExamined, ExamineServer } from '#src/parts/postgres/examine-server.ts';
import { checkDatabaseAuthorities } from './database-authorities.ts';
import { openSharedLimits } from './shared-limits.ts';

/** A server that speaks TLS. */
interface TlsServer {
  readonly host: string;
  readonly port: number;
  /** `postgres`: the client asks for TLS before the handshake. */
  readonly protocol: 'tls' | 'postgres';
}

const TIMEOUT_MS = 5000;

/** Certificates by ACME are renewed 30 days before their end; a shorter one is due if that failed. */
const CERTIFICATE_NOTICE_MS = 14 * DAY_MS;

/** Length and code of SSLRequest, PostgreSQL protocol 3.0, section "Message Formats". */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/**
 * Reports a server certificate that expires soon.
 *
 * @param name of the examination
 * @param shown the server, as it may be shown
 */
export async function examineServerCertificate(name: string, shown: string, server: TlsServer): Promise<Finding[]> {
  const endMs = await certificateEnd(server);
  const leftMs = endMs === null ? Number.POSITIVE_INFINITY : endMs - Date.now();
  if (leftMs >= CERTIFICATE_NOTICE_MS) return [];
  const left = leftMs <= 0 ? 'has expired' : `expires in ${counted(Math.floor(leftMs / DAY_MS), 'day')}`;
  return [better(name, `The certificate of ${shown} ${left}.`, 'Renew it on that server.')];
}

/** Returns when the certificate of a server expires, in milliseconds since the Unix epoch; null if it shows none. */
async function certificateEnd({ host, port, protocol }: TlsServer): Promise<number | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal });
    if (protocol === 'postgres') {
      socket.write(SSL_REQUEST);
      const [answer] = await once(socket, 'data', { signal });
      if (String(answer) !== 'S') return null;
    }
    // Whom the certificate is from and for is the matter of the connections that carry data.
    const { peer } = await performTlsHandshake(socket, host, createTrust([]), signal);
    const [own] = peer.chain;
    return own ? Date.parse(new X509Certificate(own).validTo) : null;
  } catch {
    // A server that cannot be reached is reported by those connections, too.
    return null;
  } finally {
    socket.destroy();
  }
}

/** Connections that a node opens at most. */
const CONNECTIONS_A_NODE = 6;

/** Offset at which checks are visibly out of order, and the one beyond which nodes reject them. */
const REPORTED_OFFSET_MS = 2000;
const MAX_OFFSET_MS = 5 * 60_000;

/** The servers of both logs, what they hold, and the spools of this node. */
export const examineDatabases: Examination = async (config) => {
  if (config.log_database.length === 0) return [];
  let clientKey: Buffer | null;
  try {
    [clientKey] = await withAllProblems([readClientKey(config), checkDatabaseAuthorities(config)]);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return error.problems.map((problem) => broken('database', problem, 'Correct the URL or the file.'));
  }
  const { createServerExamination } = await import('#src/parts/postgres/examine-server.ts');
  const urls = { public: config.log_database, private: config.log_database_private };
  const examineServer = createServerExamination(urls, config.data_dir, clientKey);
  const findings: Finding[] = [];
  for (const visibility of VISIBILITIES) {
    for (const url of urls[visibility]) findings.push(...(await examineOne(visibility, url, examineServer)));
  }
  return [...findings, ...(await examineSpools(config))];
};

async function examineOne(visibility: Visibility, url: DatabaseUrl, examine: ExamineServer): Promise<Finding[]> {
  const name = `database_${visibility}`;
  const shown = showDatabaseUrl(url);
  const examined = await examine(visibility, url);
  if (typeof examined === 'string')
    return [broken(name, `${shown}: ${examined}`, 'Correct the URL, or repair the server: lurecheck help fleet.')];
  const kind = examined.isStandby ? 'a standby' : 'the primary';
  const timeline = `on timeline ${examined.timeline}`;
  const role = well(name, `${shown} is ${kind} of the ${visibility} log, ${timeline}, schema ${examined.schema}.`);
  const certificate =
    url.tls === 'plain' || url.host.startsWith('/')
      ? []
      : await examineServerCertificate(name, shown, { host: url.host, port: url.port, protocol: 'postgres' });
  return [
    role,
    ...certificate,
    ...rightsOf(name, visibility, examined),
    ...clockOf(name, shown, examined),
    ...roomOn(name, shown, examined),
    ...daysOf(name, shown, examined),
  ];
}

function rightsOf(name: string, visibility: Visibility, { role, rights }: DatabaseExamined): Finding[] {
  const remedy = 'Use the URL with the role of the nodes: lurecheck help fleet.';
  if (!rights.store) return [broken(name, `The role ${role} cannot store checks.`, remedy)];
  const excess = [
    ...(rights.read && visibility === 'private' ? ['read private checks'] : []),
    ...(rights.delete ? ['delete checks'] : []),
  ].join(' and ');
  return excess === '' ? [] : [better(name, `The role ${role} can ${excess}.`, remedy)];
}

function clockOf(name: string, shown: string, { aheadMs }: DatabaseExamined): Finding[] {
  const seconds = Math.abs(aheadMs / 1000).toFixed(1);
  const said = `The clock of this host is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} that of ${shown}.`;
  if (Math.abs(aheadMs) > MAX_OFFSET_MS)
    return [broken(name, said, 'Checks are refused: synchronize both clocks with NTP.')];
  return Math.abs(aheadMs) > REPORTED_OFFSET_MS ? [better(name, said, 'Synchronize both clocks with NTP.')] : [];
}

function roomOn(name: string, shown: string, { connections, maxConnections }: DatabaseExamined): Finding[] {
  if (maxConnections - connections >= CONNECTIONS_A_NODE) return [];
  const said = `${connections} of ${maxConnections} connections of ${shown} are in use.`;
  return [better(name, said, `Raise max_connections: a node opens up to ${CONNECTIONS_A_NODE}.`)];
}

function daysOf(name: string, shown: string, { lastDay, isStandby }: DatabaseExamined): Finding[] {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
  if (isStandby || (lastDay !== null && lastDay >= tomorrow)) return [];
  const said = `${shown} has no partition for tomorrow.`;
  return [better(name, said, 'Nodes create partitions every hour: look for log.purge_failed in the log of a node.')];
}

async function examineSpools({ data_dir: dataDir }: ConfigFor<'doctor'>): Promise<Finding[]> {
  const { listSpools } = await import('#src/parts/postgres/manage-spools.ts');
  const { waiting, set_aside: setAside } = listSpools(dataDir);
  const rows = waiting.public + waiting.private;
  const said = `${rows} checks in the spool wait for their databases, ${setAside.length} were refused and set aside.`;
  if (setAside.length > 0)
    return [better('spool', said, 'List them with lurecheck nodes spool list, then retry or drop them.')];
  return [
    rows > 0 ? better('spool', said, 'They are sent as soon as the database accepts them.') : well('spool', said),
  ];
}

const FORMER_LIMITER = 'Two servers of the limiter accept writes; one of them is a former primary.';

/** The limiter that the nodes share. */
export const examineLimiter: Examination = async (config) => {
  if (config.limiter.length === 0) return [];
  const certificates = config.limiter.map(async ({ withoutPassword, host, isSecure }) =>
    host && isSecure
      ? await examineServerCertificate('limiter', withoutPassword, {
          host: host.name,
          port: host.port,
          protocol: 'tls',
        })
      : [],
  );
  return [await connected(config), ...(await Promise.all(certificates)).flat()].flat();
};

async function connected(config: ConfigFor<'doctor'>): Promise<Finding[]> {
  const lines: string[] = [];
  const logger = createLogger('info', (line) => void lines.push(line));
  try {
    using limits = await openSharedLimits(config, { logger, deny: () => {} });
    if (limits?.hasOutdated) return [broken('limiter', FORMER_LIMITER, 'Make it a replica: lurecheck help fleet.')];
    if (limits?.isUnavailable === false) return [well('limiter', 'The limiter responds.')];
    const reason = lines.flatMap((line) => JSON.parse(line).reason ?? [])[0] ?? 'it does not answer';
    return [
      broken('limiter', `The limiter cannot be used: ${reason}.`, 'Until then, each node counts its own clients only.'),
    ];
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return error.problems.map((problem) => broken('limiter', problem, 'Correct the setting or the file.'));
  }
}
