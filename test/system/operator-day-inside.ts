import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { HistoryPageSchema } from '#src/checks/record/history-page.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { untilSeen } from '#test/support/until.ts';
import { fillDisk } from './small-disk.ts';

/**
 * An operator's day on a machine of its own, booted by systemd, with the data on a small disk: for `operator-day.test.ts`. Its
 * arguments are a backup of the release before and the archive of the next one; what happened in each hour is printed as JSON.
 */
const [previous = '', next = ''] = process.argv.slice(2);
const [PROGRAM, DATA, SERVICE, ADMIN] = [
  '/opt/lurecheck',
  '/var/lib/lurecheck',
  'http://127.0.0.1:8080',
  'http://127.0.0.1:9180',
];

/** Every URL that was checked and answered, of which none may ever be missing. */
const answered: string[] = [];
const report: Record<string, unknown> = {};

async function run(command: readonly string[], stdin = '') {
  const child = Bun.spawn([...command], { stdin: new Blob([stdin]), stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, stdout, stderr };
}

const asRoot = (...args: readonly string[]) => run([PROGRAM, ...args]);

/** As whom commands that read or teach what the service knows are run. */
const asService = (args: readonly string[], stdin = '') =>
  run(['setpriv', '--reuid=lurecheck', '--regid=lurecheck', '--clear-groups', PROGRAM, ...args], stdin);

async function well(ran: Promise<{ exitCode: number; stdout: string; stderr: string }>): Promise<string> {
  const { exitCode, stdout, stderr } = await ran;
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}: ${stdout}${stderr}`);
  return stdout;
}

async function statusOf(url: string): Promise<number> {
  return await fetch(url).then(
    ({ status }) => status,
    () => 0,
  );
}

async function check(url: string, isPrivate = false): Promise<number> {
  const body = JSON.stringify({ url, private_mode: isPrivate });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const status = await fetch(`${SERVICE}/api/check-url`, { method: 'POST', headers, body }).then(
    async (response) => {
      await response.text();
      return response.status;
    },
    () => 0,
  );
  if (status === 200 && !isPrivate) answered.push(url);
  return status;
}

/** Checks one after the other, until it is stopped. */
function startLoad(name: string) {
  let isOver = false;
  const working = (async () => {
    for (let n = 0; !isOver; n++) if ((await check(`http://${name}${n}.example/`)) !== 200) await Bun.sleep(20);
  })();
  return {
    async stop() {
      isOver = true;
      await working;
    },
  };
}

/** Every URL of the public history, newest first. */
async function history(): Promise<string[]> {
  const urls: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ limit: '500', ...(cursor !== '' && { cursor }) });
    const page = parseAs(HistoryPageSchema, await (await fetch(`${SERVICE}/api/history?${query}`)).json());
    urls.push(...page.items.map(({ url }) => url));
    cursor = page.next_cursor;
  }
  return urls;
}

/** How what is there compares with what must be: how many are missing, how many there twice. */
async function books() {
  const found = await history();
  const kept = new Set(found);
  return { missing: answered.filter((url) => !kept.has(url)), twice: found.length - kept.size };
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${ADMIN}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith(name))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

// Morning: the data of the release before, and the service.
await well(asRoot('service', 'install', '--no-start'));
writeFileSync(
  '/etc/lurecheck/lurecheck.toml',
  'network = "none"\nadmin_listen = "127.0.0.1:9180"\ndisk_floor_percent = 0\n',
);
await well(asService(['backup', 'restore', previous, '--foreign', '--data-dir', DATA]));
await well(asRoot('service', 'install'));
const restored = await history();
answered.push(...restored);
const status = await asRoot('service', 'status', '--format', 'json');
report['install'] = {
  status: status.exitCode,
  data: JSON.parse(status.stdout).services[0].service.data_dir,
  restored: restored.toSorted(),
};

// It is watched, and who asks for much gets a key.
const before = await metric('lurecheck_checks_total');
const key = (await well(asRoot('key', 'create', 'feed', '--scope', 'check,batch', '--limit', '0'))).trim();
writeFileSync('/tmp/feed.key', key);
await untilSeen('the key', async () => (await check('http://first.example/')) === 200);
await check('http://hidden.example/', true);
report['scrape'] = { before, after: await metric('lurecheck_checks_total'), up: await metric('lurecheck_build_info') };

// A batch of five thousand, of which some are bad.
const batch = Array.from({ length: 5000 }, (_, n) =>
  n % 100 === 0 ? `http://paypal-login.verify-account${n}.cyou/signin` : `http://h${n}.example/`,
);
const sent = await asService(
  ['check', '--server', SERVICE, '--key', '/tmp/feed.key', '--format', 'tsv', '-'],
  `${batch.join('\n')}\n`,
);
answered.push(...batch);
const verdicts = sent.stdout.trimEnd().split('\n');
const bad = verdicts.filter((line) => !line.endsWith('\tallow'));
report['batch'] = { exitCode: sent.exitCode, lines: verdicts.length, bad: bad.length, books: await books() };

// What is bad is handed on.
const exported = async (format: string) =>
  JSON.parse(await well(asService(['log', 'export', '--format', format, '--data-dir', DATA])));
const { objects } = await exported('stix');
const { Event: event } = await exported('misp');
const kinds = (type: string) => objects.filter((object: { type: string }) => object.type === type).length;
report['export'] = {
  indicators: kinds('indicator'),
  urls: kinds('url'),
  misp: event.Attribute?.filter(({ type }: { type: string }) => type === 'url').length,
};

// The disk fills up: what cannot be kept is refused, and all goes on once there is room.
fillDisk(`${DATA}/ballast`);
await untilSeen('a refusal', async () => (await check(`http://full${answered.length}.example/`)) === 503);
const full = { check: await check('http://full.example/'), ready: await statusOf(`${SERVICE}/readyz`) };
const alive = await statusOf(`${SERVICE}/livez`);
rmSync(`${DATA}/ballast`);
await untilSeen('room', async () => (await check('http://room.example/')) === 200);
report['disk'] = { full, alive, ready: await statusOf(`${SERVICE}/readyz`), books: await books() };

// A backup while people check links.
const load = startLoad('load');
await untilSeen('load', async () => answered.some((url) => url.startsWith('http://load5')));
const promised = answered.length;
const made = await asService(['backup', 'create', '/tmp/day.backup', '--data-dir', DATA]);
await load.stop();
const verified = await well(asRoot('backup', 'verify', '/tmp/day.backup'));
const [, backedUp = ''] = /(\d+) public/.exec(verified) ?? [];
report['backup'] = {
  exitCode: made.exitCode,
  holds: Number(backedUp) >= new Set(answered.slice(0, promised)).size,
  private: /(\d+) private/.exec(verified)?.[1],
};

// The next release is broken, and the machine finds back by itself.
const beforehand = new Set(answered);
const busy = startLoad('busy');
const upgraded = await asRoot('upgrade', next, '--wait', '10');
await untilSeen('the service', async () => (await check('http://afterwards.example/')) === 200);
await busy.stop();
const after = await asRoot('service', 'status', '--format', 'json');
// What the broken one answered before it ended is in its own file, which the old one cannot read; that is told, to the check.
const told = [...upgraded.stdout.matchAll(/: (\d+) checks? that came in since/g)].map(([, count]) => Number(count));
const { missing, twice } = await books();
report['upgrade'] = {
  exitCode: upgraded.exitCode,
  version: JSON.parse(after.stdout).services[0].service.version,
  status: after.exitCode,
  untold: missing.length - told.reduce((sum, count) => sum + count, 0),
  lost_of_before: missing.filter((url) => beforehand.has(url)).length,
  twice,
  // Whatever root typed today.
  foreign: (await well(run(['find', DATA, '!', '-user', 'lurecheck']))).split('\n').filter(Boolean),
};

// At night.
const hidden = await well(asService(['log', '--private', '--format', 'tsv', '--data-dir', DATA]));
report['night'] = {
  private: hidden.trimEnd().split('\n').length,
  selftest: (await asService(['selftest', '--server', SERVICE])).exitCode,
  // Else the disk that was full was another.
  is_small_disk: readFileSync('/proc/self/mounts', 'utf8').includes(` ${DATA} tmpfs`),
};
process.stdout.write(JSON.stringify(report));
