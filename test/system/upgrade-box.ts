import { chownSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HistoryPageSchema } from '#src/checks/record/history-page.ts';
import { freePort } from '#test/support/free-port.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { untilSeen } from '#test/support/until.ts';

/** A box with the old version, and with a service that two small scripts stop and start. */
export interface Box extends AsyncDisposable {
  readonly path: string;
  readonly program: string;
  readonly dataDir: string;
  readonly url: string;
  start(): Promise<void>;
  stop(): void;
  run(...args: string[]): Promise<{ exitCode: number | null; said: string }>;
  spawn(...args: string[]): Bun.Subprocess<'ignore', 'pipe', 'pipe'>;
  /** An upgrade that knows how the service is restarted. */
  upgrade(...args: string[]): Promise<{ exitCode: number | null; said: string }>;
  check(name: string): Promise<number>;
  /** Which names were checked, by the history. */
  checked(): Promise<string[]>;
  version(): Promise<string>;
}

/** Lays an executable into a folder, and what runs its service: as root, or as another user who owns the data. */
export async function makeBox(path: string, executable: string, owner = 0): Promise<Box> {
  mkdirSync(path, { recursive: true });
  const [program, dataDir, port] = [join(path, 'lurecheck'), join(path, 'data'), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  cpSync(executable, program);
  const where = ['--data-dir', dataDir, '--listen', `127.0.0.1:${port}`];
  if (owner !== 0) {
    mkdirSync(dataDir, { mode: 0o700 });
    chownSync(dataDir, owner, owner);
  }
  const by = owner === 0 ? '' : `setpriv --reuid ${owner} --regid ${owner} --clear-groups `;
  const serve = `exec ${by}${program} serve ${where.join(' ')} --network none --rate-limit 0`;
  writeFileSync(join(path, 'serve.sh'), `echo $$ > ${path}/pid; ${serve} >> ${path}/log 2>&1\n`);
  writeFileSync(join(path, 'start.sh'), `setsid sh ${path}/serve.sh &\n`);
  writeFileSync(
    join(path, 'stop.sh'),
    `pid=$(cat ${path}/pid); kill $pid 2>/dev/null; while kill -0 $pid 2>/dev/null; do sleep 0.05; done\n`,
  );
  const [stop, start] = [`sh ${path}/stop.sh`, `sh ${path}/start.sh`];
  const spawn = (...args: string[]) =>
    Bun.spawn([program, ...args], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', env: { PATH: '/usr/bin:/bin' } });
  const run = async (...args: string[]) => {
    const child = spawn(...args);
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    await child.exited;
    return { exitCode: child.exitCode, said: `${stdout}${stderr}` };
  };
  const isReady = async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok === true;
  return {
    path,
    program,
    dataDir,
    url,
    run,
    spawn,
    upgrade: (...args) => run('upgrade', ...args, ...where, '--stop', stop, '--start', start, '--wait', '8'),
    async start() {
      Bun.spawnSync(['sh', '-c', start]);
      await untilSeen('a service that is ready', isReady);
    },
    stop: () => void Bun.spawnSync(['sh', '-c', stop]),
    async check(name) {
      const body = JSON.stringify({ url: `https://${name}.example/` });
      const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      return await fetch(`${url}/api/check-url`, request).then(
        ({ status }) => status,
        () => 0,
      );
    },
    async checked() {
      const names: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query = new URLSearchParams({ limit: '500', ...(cursor !== '' && { cursor }) });
        const page = parseAs(HistoryPageSchema, await (await fetch(`${url}/api/history?${query}`)).json());
        names.push(...page.items.map((item) => new URL(item.url).hostname.replace('.example', '')));
        cursor = page.next_cursor;
      }
      return names.toSorted();
    },
    version: async () => JSON.parse(await (await fetch(`${url}/api/about`)).text()).version,
    async [Symbol.asyncDispose]() {
      if (existsSync(join(path, 'pid'))) Bun.spawnSync(['sh', '-c', stop]);
    },
  };
}

/** Checks one name after the other until it is told to stop; the names that were answered. */
export function load(box: Box) {
  const answered: string[] = [];
  let isDone = false;
  const working = (async () => {
    for (let n = 0; !isDone; n++) {
      if ((await box.check(`load${n}`)) === 200) answered.push(`load${n}`);
      else await Bun.sleep(5);
    }
  })();
  return {
    async end() {
      isDone = true;
      await working;
      return answered;
    },
  };
}
