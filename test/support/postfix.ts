import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { untilSeen } from './until.ts';

/** A running Postfix. */
export interface Postfix extends AsyncDisposable {
  readonly port: number;
  /** Mails that it delivered. */
  delivered(): string[];
  /** Number of mails that it holds. */
  held(): number;
  log(): string;
}

/** User `nobody` of Debian. */
const NOBODY = 65_534;

const SERVICES = [
  ...['pickup unix n - n 60 1 pickup', 'cleanup unix n - n - 0 cleanup', 'qmgr unix n - n 300 1 qmgr'],
  ...['rewrite unix - - n - - trivial-rewrite', 'bounce unix - - n - 0 bounce', 'defer unix - - n - 0 bounce'],
  ...['trace unix - - n - 0 bounce', 'flush unix n - n 1000? 0 flush', 'proxymap unix - - n - - proxymap'],
  ...['error unix - - n - - error', 'retry unix - - n - - error', 'virtual unix - n n - - virtual'],
  ...['anvil unix - - n - 1 anvil', 'tlsmgr unix - - n 1000? 1 tlsmgr', 'postlog unix-dgram n - n - 1 postlogd'],
];

/** Starts Postfix on a free port of the loopback with lines for `main.cf`, and waits until it answers. */
export async function startPostfix(config: string): Promise<Postfix> {
  await using stack = new AsyncDisposableStack();
  const { path: folder } = stack.use(temporaryDirectory());
  chmodSync(folder, 0o755);
  const [port, log] = [await freePort(), join(folder, 'mail.log')];
  for (const name of ['config', 'queue', 'data', 'mail']) mkdirSync(join(folder, name));
  chownSync(join(folder, 'mail'), NOBODY, NOBODY);
  const postfix = Bun.spawnSync(['id', '-u', 'postfix']).stdout.toString().trim();
  chownSync(join(folder, 'data'), Number(postfix), Number(postfix));
  const main = [
    `queue_directory = ${folder}/queue`,
    `data_directory = ${folder}/data`,
    `maillog_file = ${log}`,
    `maillog_file_prefixes = ${folder}`,
    ...['compatibility_level = 3.6', 'inet_interfaces = 127.0.0.1', 'myhostname = mx.office.example'],
    ...['mydestination =', 'alias_maps =', 'alias_database =', 'smtpd_tls_security_level = none'],
    ...['virtual_mailbox_domains = office.example', 'virtual_mailbox_maps = static:inbox/'],
    `virtual_mailbox_base = ${folder}/mail`,
    ...[`virtual_uid_maps = static:${NOBODY}`, `virtual_gid_maps = static:${NOBODY}`],
    ...['message_size_limit = 60000000', 'virtual_mailbox_limit = 0', 'smtpd_client_connection_count_limit = 0'],
    config,
  ];
  writeFileSync(join(folder, 'config/main.cf'), `${main.join('\n')}\n`);
  const master = [`127.0.0.1:${port} inet n - n - - smtpd`, ...SERVICES];
  writeFileSync(join(folder, 'config/master.cf'), `${master.join('\n')}\n`);
  const output = Bun.file(join(folder, 'output'));
  const child = Bun.spawn(['postfix', '-c', join(folder, 'config'), 'start-fg'], { stdout: output, stderr: output });
  stack.defer(async () => {
    child.kill();
    await child.exited;
  });
  const readLog = () => (existsSync(log) ? readFileSync(log, 'utf8') : '');
  await untilSeen(`Postfix ready: ${folder}`, async () => {
    if (child.exitCode !== null) throw new Error(`Postfix ended: ${await output.text()}\n${readLog()}`);
    return readLog().includes('daemon started');
  });
  const closing = stack.move();
  const inbox = join(folder, 'mail/inbox/new');
  return {
    port,
    delivered: () =>
      existsSync(inbox) ? readdirSync(inbox).map((name) => readFileSync(join(inbox, name), 'latin1')) : [],
    held: () => readdirSync(join(folder, 'queue/hold')).length,
    log: readLog,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
