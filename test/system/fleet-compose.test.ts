import { expect, test } from 'bun:test';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { type ComposeService, composeFile, fleetFiles } from '#test/support/compose.ts';
import { lurecheck } from '#test/support/executable.ts';
import { type HaProxy, startHaProxy } from '#test/support/haproxy.ts';
import { startPostgres } from '#test/support/postgres.ts';
import { startRedis } from '#test/support/redis-server.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until, untilSeen } from '#test/support/until.ts';
import { withPlaces } from '#test/support/with-places.ts';
import { isTrouble, signInWith } from './console-key.ts';
import { screenIsThere } from './console-screen.ts';
import { openBrowser } from './ui-browser.ts';

/** Roles by their passwords, as in the image; its administrator is let in. */
const HBA = 'local all admin trust\nlocal all all scram-sha-256\n';

function run(command: readonly string[], cwd: string): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync([...command], { cwd });
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stdout}${stderr}`);
  return stdout.toString();
}

test('the fleet of compose.yaml runs with the programs of this host instead of its containers', async () => {
  await using directory = temporaryDirectory();
  const { services } = composeFile();
  for (const [name, text] of fleetFiles()) await Bun.write(join(directory.path, name), text);
  run(['shellcheck', 'make-secrets.sh'], directory.path);
  run(['sh', 'make-secrets.sh'], directory.path);
  const secrets = join(directory.path, 'secrets');
  const shipped = await Bun.file(join(directory.path, 'haproxy.cfg')).text();
  await Bun.write(join(directory.path, 'here.cfg'), withPlaces(shipped, { '/run/secrets': secrets }));
  run(['haproxy', '-c', '-f', 'here.cfg'], directory.path);
  const move = async (name: string, places: Readonly<Record<string, string>>) => {
    const file = join(secrets, name);
    const text = withPlaces(await Bun.file(file).text(), places);
    await chmod(file, 0o600);
    await Bun.write(file, text);
  };
  const here = (text: string) => text.replaceAll('/run/secrets', secrets);
  const commandOf = ({ command = [] }: ComposeService) => command.map(here);

  await using server = await startPostgres();
  run(
    ['psql', '-qv', 'ON_ERROR_STOP=1', '-h', server.path, '-U', 'admin', '-d', 'postgres', '-f', 'databases.sql'],
    secrets,
  );
  await Bun.write(`${server.path}/data/pg_hba.conf`, HBA);
  await using admin = server.connect();
  await admin.unsafe('select pg_reload_conf()');
  for (const name of [
    'node.url',
    'private-node.url',
    'owner.url',
    'private-owner.url',
    'operator.url',
    'private-operator.url',
  ])
    await move(name, { '/run/postgresql': server.path });
  for (const name of ['migrate', 'migrate-private']) {
    const migrated = await lurecheck(commandOf(services[name] ?? { image: '' }));
    expect([name, migrated.exitCode, migrated.stderr]).toEqual([name, 0, '']);
  }

  const socket = join(directory.path, 'valkey.sock');
  const valkey = commandOf(services['valkey'] ?? { image: '' }).map((text) =>
    text.replace('/data/valkey.sock', socket),
  );
  await using _redis = await startRedis(valkey.slice(1));
  await move('limiter.url', { '/run/valkey/valkey.sock': socket });
  const [, health = ''] = services['valkey']?.healthcheck?.test ?? [];
  run(['sh', '-c', withPlaces(health, { 'valkey-cli': 'redis-cli', '/data/valkey.sock': socket })], secrets);

  const environmentOf = (name: string) =>
    Object.fromEntries(Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [key, here(value)]));
  const startNode = (name: string): Promise<Service> => {
    return startService(
      join(directory.path, name),
      ['--rate-limit', '1', '--trusted-proxy', '127.0.0.1/32'],
      environmentOf(name),
    );
  };
  await using one = await startNode('one');
  await using two = await startNode('two');
  await using balancer = await startHaProxy([one, two].map(({ url }) => new URL(url).host));
  const [, , , asked = ''] = services['balancer']?.healthcheck?.test ?? [];
  const healthcheck = ['bash', '-c', withPlaces(asked, { '/8080': `/${balancer.redirectedPort}` })];
  await until(() => Bun.spawnSync(healthcheck).exitCode === 0);

  expect((await one.check('http://example.com/1')).status).toBe(200);
  // One limit and one history over both.
  expect((await two.check('http://example.com/2')).status).toBe(429);
  const history = await (await fetch(`http://127.0.0.1:${balancer.port}/api/history`)).json();
  expect(history).toMatchObject({ items: [{ url: 'http://example.com/1' }] });
  const operator = { environment: environmentOf('operator') };
  const listed = await lurecheck(commandOf(services['operator'] ?? { image: '' }), operator);
  expect(listed.stdout).toMatch(/^one [\s\S]*^two /m);
  const log = await lurecheck(['log', '--private'], operator);
  expect([log.exitCode, log.stderr]).toEqual([0, '']);
  await useConsole(balancer, directory.path, operator, [one, two]);
  for (const node of [one, two]) {
    const ready = await (await fetch(`${node.url}/readyz?verbose`)).json();
    expect(ready).toMatchObject({ status: 'ready', notices: [] });
  }
});

/** Signs in through the balancer, opens every screen, whichever node answers, and signs out on both. */
async function useConsole(
  { tlsPort, redirectedPort }: HaProxy,
  dataDir: string,
  operator: { readonly environment: Readonly<Record<string, string>> },
  nodes: readonly Service[],
): Promise<void> {
  const created = await lurecheck(['key', 'create', 'desk', '--scope', 'admin', '--data-dir', dataDir], operator);
  const [secret = ''] = /lck_[\w-]+/.exec(created.stdout) ?? [];
  const isKnown = async ({ url }: Service) =>
    (await fetch(`${url}/api/session`, { headers: { authorization: `Bearer ${secret}` } })).ok;
  await untilSeen('the key at both nodes', async () => (await Promise.all(nodes.map(isKnown))).every(Boolean));
  const from = `http://localhost:${redirectedPort}/`;
  expect((await fetch(from, { redirect: 'manual' })).headers.get('location')).toStartWith('https://');
  await using browser = await openBrowser();
  await using watched = await browser.open(`https://127.0.0.1:${tlsPort}/#/console/today`, { ignoreHTTPSErrors: true });
  const { page, troubles } = watched;
  await signInWith(page, secret);
  await untilSeen('today', () => page.evaluate<boolean>(screenIsThere('today')));
  const screens = await page.locator('.console-menu a').evaluateAll((links) => links.map((link) => link.hash));
  expect(screens.length).toBeGreaterThan(8);
  for (const hash of screens) {
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await untilSeen(hash, () => page.evaluate<boolean>(screenIsThere(hash.slice('#/console/'.length))));
  }
  const [cookie] = (await page.context().cookies()).filter(({ name }) => name === '__Host-lurecheck_session');
  const headers = { cookie: `__Host-lurecheck_session=${cookie?.value}`, 'x-forwarded-proto': 'https' };
  const statuses = async () =>
    await Promise.all(nodes.map(async ({ url }) => (await fetch(`${url}/api/session`, { headers })).status));
  expect(await statuses()).toEqual([200, 200]);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.locator('input[type="password"]').waitFor();
  // Each request with an ended one counts as a wrong key, of which the limit of this test admits one.
  await untilSeen('the end of the session', async () => (await statuses()).every((status) => status !== 200));
  expect(troubles.filter(isTrouble)).toEqual([]);
}
