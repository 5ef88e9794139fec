import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { CANARIES } from '#src/app/canaries.ts';
import type { Config } from '#src/app/config.ts';
import { better, broken, type Examination, type Finding, well } from '#src/app/doctor/finding.ts';
import { openLog } from '#src/app/open-log.ts';
import { DAY_MS, systemClock } from '#src/core/base/clock.ts';
import { createLogger, type Logger } from '#src/core/base/logger.ts';
import { formatListenAddress, type ListenAddress } from '#src/core/base/settings/listen-address.ts';
import { readHeldHosts, readWatchState } from '#src/parts/proxy/gate/held-report.ts';

/** Number of unread records at which holding is likely to surprise users. */
const MANY_UNREAD = 100;

/** Returns reasons against holding, in sentences; empty if there are none, or if the gate watches or is closed. */
export async function holdWarnings(config: Config, logger: Logger): Promise<string[]> {
  const { gate_mode, icap_listen, icap_tls_listen, data_dir: dataDir } = config;
  if (gate_mode !== 'hold' || icap_listen.length + icap_tls_listen.length === 0) return [];
  const { watching_since: since, reported_at: reported } = readWatchState(dataDir);
  const watchedMs = since === null ? 0 : systemClock.now() - Date.parse(since);
  const early = watchedMs < DAY_MS ? ['gate_mode is hold, but the gate has watched for less than a day'] : [];
  const unread = await countUnread(config, reported ?? since, logger);
  if (unread < MANY_UNREAD) return early;
  return [...early, `gate_mode is hold, but nobody has read ${unread} records of what is held: lurecheck gate report`];
}

/** A log in a database is not opened for that: a validation needs no network. */
async function countUnread(config: Config, since: string | null, logger: Logger): Promise<number> {
  if (config.log_database_private.length > 0 || !existsSync(join(config.data_dir, 'private.sqlite'))) return 0;
  await using opened = await openLog(config, 'read', logger);
  const hosts = await readHeldHosts(opened.log, since === null ? null : Date.parse(since));
  return hosts.reduce((sum, { records }) => sum + records, 0);
}

/** Time for an answer, in milliseconds. */
const PATIENCE_MS = 2000;

/** The gate: its ICAP address answers OPTIONS and both canaries, and nothing speaks against holding. */
export const examineGate: Examination = async (config) => {
  const [address] = config.icap_listen;
  if (address === undefined && config.icap_tls_listen.length === 0) return [];
  const silent = createLogger('error', () => {});
  const warnings = await holdWarnings(config, silent);
  const advice = 'Read lurecheck gate report, or set gate_mode to watch.';
  return [
    ...(address === undefined ? [] : [await examineAddress(address)]),
    ...warnings.map((warning) => better('gate', `${warning}.`, advice)),
  ];
};

/** A service that was late once may be in time the next time. */
const TRIES = 5;

async function examineAddress(address: ListenAddress): Promise<Finding> {
  const name = formatListenAddress(address);
  for (let tries = 0; tries < TRIES; tries++) {
    const replies = await ask(address).catch(() => null);
    if (replies === null)
      return broken('gate', `Nothing answers ICAP on ${name}.`, 'Start the service, or read its log.');
    const [options = '', ...canaries] = replies.split(/(?=^ICAP\/1\.0 )/m);
    const rules = canaries.map((reply) => /^X-Lurecheck-Rule: (.*)\r$/m.exec(reply)?.[1]);
    if (rules[2] === 'late') continue;
    return options.includes('Methods: REQMOD') && rules[0] === 'list-allows' && rules[1] === 'list-blocks'
      ? well('gate', `${name} answers OPTIONS and both test links.`)
      : broken('gate', `${name} answers ICAP, but not as this version does.`, 'Restart the service.');
  }
  return better(
    'gate',
    `${name} is late, and lets requests that no list decides pass unexamined.`,
    'Give the host more processor time.',
  );
}

/** A link that no list decides, so that it takes the model, which a service that is late does not ask. */
const UNLISTED = 'http://examined.example.com/';

/** Asks for the options, about both canaries and about {@link UNLISTED} on one connection. */
async function ask(address: ListenAddress): Promise<string> {
  const urls = [...CANARIES.map(({ url }) => url), UNLISTED];
  const requests = urls.map((url, at) => {
    const http = `GET ${url} HTTP/1.1\r\nAccept: text/html\r\n\r\n`;
    const close = at === urls.length - 1 ? 'Connection: close\r\n' : '';
    return `REQMOD icap://lurecheck/reqmod ICAP/1.0\r\nAllow: 204\r\n${close}Encapsulated: req-hdr=0, null-body=${http.length}\r\n\r\n${http}`;
  });
  const host = address.kind === 'tcp' ? (address.host ?? '127.0.0.1') : undefined;
  const socket = address.kind === 'tcp' ? connect(address.port, host) : connect(address.path);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('timeout')));
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  socket.on('error', reject);
  socket.on('end', () => resolve(text));
  socket.write(`OPTIONS icap://lurecheck/reqmod ICAP/1.0\r\n\r\n${requests.join('')}`);
  return await promise.finally(() => socket.destroy());
}
