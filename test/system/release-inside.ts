import { json } from 'node:stream/consumers';

/**
 * Runs the executable of a root filesystem as a user without rights, as a service manager or a container would, and prints
 * what it said and did: for `release.test.ts`. The arguments are the root, and the files to verify in there.
 */
const [root = '', ...files] = process.argv.slice(2);
const USER = '--userspec=65532:65532';
const ENVIRONMENT = { LURECHECK_LISTEN: '0.0.0.0:8080', LURECHECK_DATA_DIR: '/var/lib/lurecheck' };

const command = (args: readonly string[]) => ['/usr/sbin/chroot', USER, root, '/usr/bin/lurecheck', ...args];

function lurecheck(...args: string[]) {
  const { stdout, stderr, exitCode } = Bun.spawnSync(command(args), { env: ENVIRONMENT });
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

const verified = files.map((file) => lurecheck('verify', file));
const version = lurecheck('version');
const service = Bun.spawn(command(['serve', '--network', 'none']), {
  env: ENVIRONMENT,
  stdout: 'pipe',
  stderr: 'pipe',
});
const lines = service.stdout.pipeThrough(new TextDecoderStream()).getReader();
const { value: line } = await lines.read();
const health = lurecheck('healthcheck');
const answer = await fetch('http://127.0.0.1:8080/api/check-url', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ url: 'https://example.com/' }),
}).then(
  async ({ status, body }) => ({ status, body: body && (await json(body)) }),
  (error) => String(error),
);
service.kill('SIGTERM');
const exitCode = await service.exited;
const stderr = await service.stderr.text();
let later = '';
for (let read = await lines.read(); !read.done; read = await lines.read()) later += read.value;
process.stdout.write(JSON.stringify({ verified, version, line, health, answer, exitCode, later, stderr }));
