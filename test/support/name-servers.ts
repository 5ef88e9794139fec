import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A running name server. */
export interface NameServer extends AsyncDisposable {
  readonly port: number;
  /** What it printed so far. */
  log(): Promise<string>;
}

/** Folder of a name server, and the port that it answers on. */
export interface NameServerPlace {
  readonly folder: string;
  readonly port: number;
}

/** Starts BIND with parts of a configuration, as a resolver before a server that knows every name. */
export function startBind(
  { folder, port }: NameServerPlace,
  { upstream, options, zones }: { readonly upstream: number; readonly options: string; readonly zones: string },
): NameServer {
  mkdirSync(folder);
  const own = [
    ...[`directory "${folder}"`, 'pid-file none', 'session-keyfile none', 'dnssec-validation no', 'recursion yes'],
    ...[`listen-on port ${port} { 127.0.0.1; }`, 'listen-on-v6 { none; }', 'forward only', 'notify no'],
    ...[`forwarders { 127.0.0.1 port ${upstream}; }`, 'querylog no', 'empty-zones-enable no'],
  ];
  const config = `options {\n${own.join(';\n')};\n${options}};\ncontrols {};\n${zones}`;
  return start({ folder, port }, config, (file) => ['named', '-4', '-g', '-c', file]);
}

/** Starts Knot DNS with parts of a configuration. */
export function startKnot({ folder, port }: NameServerPlace, config: string): NameServer {
  mkdirSync(folder);
  const own = [
    ...['server:', `    rundir: ${folder}`, `    listen: 127.0.0.1@${port}`, 'log:', '  - target: stdout'],
    ...['    any: info', 'database:', `    storage: ${folder}`, 'template:', '  - id: default'],
    ...[`    storage: ${folder}`, `    file: ${folder}/zone`],
  ];
  return start({ folder, port }, `${own.join('\n')}\n${config}`, (file) => ['knotd', '-c', file]);
}

/** Starts PowerDNS Recursor with a Lua configuration, before a server that knows every name. */
export function startRecursor({ folder, port }: NameServerPlace, upstream: number, lua: string): NameServer {
  mkdirSync(folder);
  writeFileSync(join(folder, 'zone.lua'), lua);
  const settings = {
    'local-address': '127.0.0.1',
    'local-port': port,
    'lua-config-file': join(folder, 'zone.lua'),
    'socket-dir': folder,
    'forward-zones-recurse': `.=127.0.0.1:${upstream}`,
    'security-poll-suffix': '',
    'hint-file': 'no',
    dnssec: 'off',
    daemon: 'no',
    threads: 1,
    'write-pid': 'no',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  // The program reads a file of this name.
  return start({ folder, port }, lines.join(''), () => ['pdns_recursor', `--config-dir=${folder}`], 'recursor.conf');
}

function start(
  { folder, port }: NameServerPlace,
  config: string,
  command: (file: string) => string[],
  name = 'server.conf',
): NameServer {
  const file = join(folder, name);
  writeFileSync(file, config);
  const output = Bun.file(join(folder, 'output'));
  const child = Bun.spawn(command(file), { stdout: output, stderr: output });
  return {
    port,
    log: () => output.text(),
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}

/** Asks a name server on this host by `dig`; returns the text that dig prints. */
export async function dig(port: number, ...words: readonly string[]): Promise<string> {
  const asked = Bun.spawn(['dig', '+tries=1', '+time=2', '-p', String(port), '@127.0.0.1', ...words], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  return await asked.stdout.text();
}

/** Returns the code of an answer that `dig` printed; null without an answer. */
export const statusIn = (text: string): string | null => /status: (\w+)/.exec(text)?.[1] ?? null;
