import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { type CurlWay, curl } from '#test/support/curl.ts';
import { lurecheck } from '#test/support/executable.ts';
import { freePort } from '#test/support/free-port.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';
import { withPlaces } from '#test/support/with-places.ts';
import { codeIn, WRITTEN } from '../service/manual/written-manual.ts';

const NAME = 'check.example';

/** The example of the manual in a language that contains a text, with other places. */
function exampleIn(language: string, text: string, places: Readonly<Record<string, string>> = {}) {
  const example = codeIn('proxies', WRITTEN.get('proxies') ?? '').find(
    (code) => code.language === language && code.text.includes(text),
  );
  if (!example) throw new Error(`the manual has no ${language} with ${text}`);
  return withPlaces(example.text, places);
}

/** Stands for Authelia: the cookie of a browser names its user. */
function signOn() {
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch({ url, headers }) {
      const user = /sso=(\w+)/.exec(headers.get('cookie') ?? '')?.[1];
      if (new URL(url).pathname !== '/api/authz/auth-request') return new Response(null, { status: 404 });
      if (user === undefined) return new Response(null, { status: 401 });
      return new Response(null, { headers: user === 'guest' ? {} : { 'Remote-User': user } });
    },
  });
}

test('nginx signs users in to the console, as the manual shows it, and no client names itself', async () => {
  await using opened = new AsyncDisposableStack();
  const { path: folder } = opened.use(temporaryDirectory());
  const authority = createCertificateAuthority(Date.now());
  const issued = authority.issue({ subject: NAME });
  const files = { 'ca.pem': authority.pem, 'chain.pem': issued.pem, 'key.pem': issued.keyPem };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const way: CurlWay = { name: NAME, port: await freePort(), authority: join(folder, 'ca.pem') };
  const socket = { '/run/lurecheck/http.sock': join(folder, 'http.sock') };

  const settings = join(folder, 'lurecheck.toml');
  // Both name the proxy.
  const signOnSettings = exampleIn('toml', 'auth_header').replace(/^trusted_proxy.*\n/m, '');
  writeFileSync(settings, `${exampleIn('toml', 'base_path', socket)}\n${signOnSettings}`);
  const dataDir = join(folder, 'data');
  const service = opened.use(await startService(dataDir, ['--config', settings]));
  const key = await lurecheck(['key', 'create', 'desk', '--scope', 'lists', '--data-dir', dataDir]);

  const users = signOn();
  opened.defer(() => users.stop(true));
  const example = exampleIn('nginx', 'auth_request', {
    ...socket,
    'listen 443 ssl': `listen 127.0.0.1:${way.port} ssl`,
    '/etc/ssl/check.example': folder,
    '127.0.0.1:9091': `127.0.0.1:${users.port}`,
  });
  const config = join(folder, 'nginx.conf');
  const before = `user root;\ndaemon off;\npid ${folder}/nginx.pid;\nerror_log ${folder}/nginx.log;\nevents {}\n`;
  writeFileSync(config, `${before}http {\naccess_log off;\n${example}}\n`);
  const nginx = Bun.spawn(['nginx', '-c', config], { stdout: 'ignore', stderr: Bun.file(join(folder, 'said')) });
  opened.defer(async () => {
    nginx.kill('SIGTERM');
    await nginx.exited;
  });
  const ask = async (path: string, cookie: string | null, ...more: readonly string[]) =>
    await curl(way, `/lurecheck/${path}`, [...(cookie === null ? [] : ['-b', cookie]), ...more]);
  const isUp = () =>
    ask('livez', 'sso=bob').then(
      ({ status }) => status === 200,
      () => false,
    );
  await untilSeen('nginx', async () => nginx.exitCode !== null || (await isUp()));

  const session = async (cookie: string, ...more: readonly string[]) =>
    JSON.parse((await ask('api/session', cookie, ...more)).body);
  expect(await session('sso=alice')).toMatchObject({ key: null, user: 'alice', scopes: ['admin'] });
  expect(await session('sso=carol')).toMatchObject({ key: null, user: 'carol', scopes: ['history'] });
  expect((await ask('api/admin/keys', null)).status).toBe(401);
  expect((await ask('api/admin/keys', 'sso=bob')).status).toBe(403);
  expect((await ask('api/admin/keys', 'sso=alice')).status).toBe(200);
  expect((await ask('api/admin/keys', 'sso=alice', '-H', 'sec-fetch-site: cross-site')).status).toBe(403);

  // Ways in which a client may try to name itself.
  for (const header of ['Remote-User: alice', 'remote-user: alice', 'Remote_User: alice', 'Connection: Remote-User']) {
    expect(await session('sso=bob', '-H', header)).toMatchObject({ user: 'bob' });
    expect([header, (await ask('api/admin/keys', 'sso=guest', '-H', header)).status]).toEqual([header, 401]);
  }

  const origin = ['-H', `origin: https://${NAME}:${way.port}`, '-H', 'sec-fetch-site: same-origin'];
  const list = ['-H', 'content-type: application/json', '-d', '{"name":"ours","content":"evil.example\\n"}'];
  expect((await ask('api/admin/lists', 'sso=bob', ...list)).status).toBe(403);
  expect((await ask('api/admin/lists', 'sso=bob', ...origin, ...list)).status).toBe(201);
  const audit = JSON.parse((await ask('api/admin/audit?limit=10', 'sso=alice')).body);
  expect(audit.items).toContainEqual(
    expect.objectContaining({ by: 'user bob', address: '127.0.0.1', subject: 'ours' }),
  );

  // Without a row, a user loses the scopes at a reload.
  writeFileSync(settings, (await Bun.file(settings).text()).replace('"alice=admin", ', ''));
  process.kill(service.pid, 'SIGHUP');
  await untilSeen('the reload', async () => (await ask('api/admin/keys', 'sso=alice')).status === 403);

  // Who has no row signs in with a key, whose cookie is for TLS.
  const bearer = ['-X', 'POST', '-H', `authorization: Bearer ${key.stdout.trim()}`, '-i'];
  expect((await ask('api/session', 'sso=guest', ...bearer)).body).toContain('__Host-lurecheck_session=');
});
