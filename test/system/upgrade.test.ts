import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HistoryPageSchema } from '#src/record/history-page.ts';
import { freePort } from '#test/support/free-port.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';
import { type MadeReleases, makeReleases } from './two-releases.ts';

/** The version of a box, the next one, which migrates its files, and one that does so and then ends. */
const [OLD, NEXT, BROKEN] = ['1.0.0', '1.1.0', '1.2.0'];

const folder = temporaryDirectory();
let releases: MadeReleases;

beforeAll(async () => {
  releases = await makeReleases(folder.path, [
    { version: OLD },
    { version: NEXT, migrates: true },
    { version: BROKEN, migrates: true, isBroken: true },
  ]);
}, 600_000);

afterAll(() => folder[Symbol.asyncDispose]());

/** A box with the old version, and with a service that two small scripts stop and start. */
interface Box extends AsyncDisposable {
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

async function makeBox(path: string): Promise<Box> {
  mkdirSync(path, { recursive: true });
  const [program, dataDir, port] = [join(path, 'lurecheck'), join(path, 'data'), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  cpSync(releases.program(OLD), program);
  const where = ['--data-dir', dataDir, '--listen', `127.0.0.1:${port}`];
  const serve = `exec ${program} serve ${where.join(' ')} --network none --rate-limit 0`;
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
function load(box: Box) {
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

/** What going back told of the public log: where the newer file is, and how many checks came out of that. */
function toldOfPublic(said: string): { aside: string; carried: number } {
  const [, aside = '', carried] =
    /public log .* the newer file is (\S+): it has every check, (\d+) of/.exec(said) ?? [];
  return { aside, carried: Number(carried) };
}

const backupsIn = (box: Box) => readdirSync(box.path).filter((name) => name.endsWith('.backup'));

test('an upgrade under load restarts the service with every record, and is undone with every record, those of the newer version among them', async () => {
  await using directory = temporaryDirectory();
  await using box = await makeBox(directory.path);
  await box.start();
  const busy = load(box);
  await untilSeen('checks', async () => (await box.checked()).length > 20);
  const upgraded = await box.upgrade(releases.archive(NEXT));
  const answered = await busy.end();
  expect(upgraded).toEqual({ exitCode: 0, said: expect.stringContaining(`ready: the service, ${NEXT}`) });
  expect([await box.version(), await box.checked()]).toEqual([NEXT, answered.toSorted()]);
  expect((await box.run('upgrade', '--status')).said).toContain(`${OLD} to ${NEXT}`);

  const [backup = ''] = backupsIn(box);
  const restored = join(box.path, 'restored');
  const older = Bun.spawnSync([
    releases.program(OLD),
    'backup',
    'restore',
    join(box.path, backup),
    '--data-dir',
    restored,
  ]);
  expect([older.exitCode, readdirSync(restored)]).toEqual([0, expect.arrayContaining(['public.sqlite'])]);
  const refused = Bun.spawnSync([releases.program(OLD), 'log', '--data-dir', box.dataDir]);
  expect([refused.exitCode, refused.stderr.toString()]).toEqual([1, expect.stringContaining('Nothing was changed.')]);

  const since = 'checked-by-the-newer-one';
  expect(await box.check(since)).toBe(200);
  const before = statSync(join(box.dataDir, 'public.sqlite')).ino;
  const back = await box.upgrade('--back');
  expect(back.exitCode).toBe(0);
  const kept = await box.checked();
  expect(await box.version()).toBe(OLD);
  expect(kept).toEqual([...answered, since].toSorted());
  const { aside, carried } = toldOfPublic(back.said);
  expect(carried).toBeGreaterThan(0);
  expect(statSync(aside).ino).toBe(before);
  expect(back.said).toContain('the private log back as it was when the newer version migrated it');
  expect((await box.upgrade('--back')).said).toContain('is back already');
}, 120_000);

test('a version that does not become ready gives way to the old one by itself, with every record', async () => {
  await using directory = temporaryDirectory();
  await using box = await makeBox(directory.path);
  await box.start();
  const busy = load(box);
  await untilSeen('checks', async () => (await box.checked()).length > 20);
  const failed = await box.upgrade(releases.archive(BROKEN));
  expect(await box.check('afterwards')).toBe(200);
  const answered = [...(await busy.end()), 'afterwards'];
  expect(failed).toEqual({ exitCode: 1, said: expect.stringContaining(`${BROKEN} has not become ready`) });
  expect(failed.said).toContain('the public log back as it was when the newer version migrated it');
  expect([await box.version(), await box.checked()]).toEqual([OLD, answered.toSorted()]);
  expect(readFileSync(join(box.path, 'log'), 'utf8')).not.toContain('log.incomplete');
  const status = await box.run('upgrade', '--status');
  expect([status.exitCode, status.said]).toEqual([0, expect.stringContaining('gone back, because')]);
  // And the way is free for the next one.
  expect((await box.upgrade(releases.archive(NEXT))).exitCode).toBe(0);
  expect(await box.checked()).toEqual(answered.toSorted());
}, 120_000);

/** Where an upgrade may be killed, by what lies there then. */
const MOMENTS: Readonly<Record<string, (box: Box) => boolean>> = {
  'while it copies': ({ program }) => existsSync(`${program}.upgrade/released`),
  'while it tries the new one': ({ program }) => existsSync(`${program}.upgrade/program`),
  'while it backs up': ({ path }) => readdirSync(path).some((name) => name.includes('.backup')),
  'once it has begun to replace': ({ program }) => existsSync(`${program}.upgrade/journal.json`),
  'once it goes back': ({ program }) =>
    existsSync(`${program}.upgrade/journal.json`) &&
    readFileSync(`${program}.upgrade/journal.json`, 'utf8').includes('returning'),
};

test.each(Object.entries(MOMENTS))(
  'an upgrade that is killed %s leaves a whole box, and is seen through',
  async (_, isIt) => {
    await using directory = temporaryDirectory();
    await using box = await makeBox(directory.path);
    await box.start();
    for (const name of ['one', 'two']) await box.check(name);
    const script = (name: string) => [`--${name}`, `sh ${box.path}/${name}.sh`];
    const where = ['--data-dir', box.dataDir, '--listen', new URL(box.url).host];
    const file = releases.archive(BROKEN);
    const killed = box.spawn('upgrade', file, ...where, ...script('stop'), ...script('start'), '--wait', '2');
    while (!isIt(box) && killed.exitCode === null) await Bun.sleep(1);
    killed.kill('SIGKILL');
    await killed.exited;

    const status = await box.run('upgrade', '--status');
    const hasBegun = status.said.includes('begun on');
    expect((await box.run('version')).exitCode).toBe(0);
    const again = await box.upgrade();
    expect([hasBegun, again.exitCode]).toEqual([hasBegun, hasBegun ? expect.any(Number) : 2]);
    if (!existsSync(join(box.path, 'pid'))) await box.start();
    expect([await box.version(), await box.checked()]).toEqual([OLD, ['one', 'two']]);
    // Nothing of it is in the way.
    expect((await box.upgrade(releases.archive(NEXT))).exitCode).toBe(0);
    expect(await box.checked()).toEqual(['one', 'two']);
    expect(readdirSync(`${box.program}.upgrade`).toSorted()).toEqual(['journal.json', 'lock']);
  },
  120_000,
);
