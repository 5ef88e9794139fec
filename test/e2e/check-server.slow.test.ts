import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { type Finished, lurecheck } from '#test/support/executable.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/** What a service is sent. */
const SentSchema = Type.Object({ urls: Type.Array(Type.String()), private_mode: Type.Boolean() });

const authority = createCertificateAuthority(Date.now());

async function keyFile(directory: string, dataDir: string, ...flags: string[]): Promise<string> {
  const { stdout } = await lurecheck(['key', 'create', 'pipe', '--data-dir', dataDir, ...flags]);
  const path = join(directory, 'pipe.key');
  await Bun.write(path, stdout);
  return path;
}

/** A server of the test's own on this machine, and what it was sent. */
function startServer(answer: (body: { urls: string[] }, request: Request) => Response) {
  const sent: { readonly path: string; readonly authorization: string | null }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      sent.push({ path: new URL(request.url).pathname, authorization: request.headers.get('authorization') });
      return answer(parseAs(SentSchema, await request.json()), request);
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, sent, [Symbol.asyncDispose]: () => server.stop(true) };
}

const check = (server: string, ...args: string[]) => lurecheck(['check', '--server', server, ...args]);

describe('check --server', () => {
  test('sends lines to a service, and prints the same verdicts in the same order', async () => {
    await using directory = temporaryDirectory();
    const dataDir = join(directory.path, 'data');
    const key = await keyFile(directory.path, dataDir, '--scope', 'batch', '--limit', '0');
    await using service = await startService(dataDir, ['--rate-limit', '1']);
    const lines = Array.from({ length: 5000 }, (_, n) =>
      n % 500 === 7 ? `no url ${n}` : `https://h${n}.example/${n}`,
    );
    const stdin = `${lines.join('\n')}\n`;
    const [asked, here] = await Promise.all([
      lurecheck(['check', '--server', service.url, '--key', key, '--format', 'tsv', '-'], { stdin }),
      lurecheck(['check', '--network', 'none', '--format', 'tsv', '-'], { stdin }),
    ]);
    expect([asked.exitCode, asked.stdout === here.stdout, asked.stderr]).toEqual([1, true, here.stderr]);
    const logged = await lurecheck(['log', '--format', 'tsv', '--data-dir', dataDir]);
    expect(logged.stdout.trimEnd().split('\n')).toHaveLength(4990);
    expect(service.output.stdout + service.output.stderr).not.toContain('server.fault');
  });

  test('keeps a private check private, and accepts a message', async () => {
    await using directory = temporaryDirectory();
    await using service = await startService(directory.path);
    const mail = join(directory.path, 'mail.html');
    await Bun.write(mail, '<a href="https://goes.example/">https://says.example/</a>');
    const { exitCode, stdout } = await check(service.url, '--record', 'private', '--message', mail, '--format', 'json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { url: 'https://goes.example/', in_message: { says: 'says.example', goes_to: 'goes.example' } },
    ]);
    expect((await service.history()).items).toEqual([]);
    const { stdout: kept } = await lurecheck(['log', '--private', '--format', 'tsv', '--data-dir', directory.path]);
    expect(kept).toContain('goes.example');
  });

  test('retries after the time that the service requests, and reports the wait', async () => {
    let asked = 0;
    const problem = {
      type: 'urn:lurecheck:problem:rate_limited',
      title: 'T',
      status: 429,
      code: 'rate_limited',
      detail: 'D',
    };
    await using server = startServer(({ urls }) => {
      if (asked++ === 0) return Response.json(problem, { status: 429, headers: { 'retry-after': '3' } });
      const item = { malicious_probability: 0.5, decision: 'warn', analysis_details: { reasons: [], unavailable: [] } };
      return Response.json({ items: urls.map((url) => ({ url, ...item })) });
    });
    const { exitCode, stdout, stderr } = await check(server.url, '--format', 'tsv', 'https://a.example/');
    expect([exitCode, stdout, server.sent.length]).toEqual([0, 'https://a.example/\t0.5\twarn\n', 2]);
    expect(stderr).toBe(`lurecheck: ${server.url} limits the rate; continuing in 3 s\n`);
  });

  test('rejects an untrusted certificate, and one for a different name', async () => {
    await using directory = temporaryDirectory();
    const { pem, keyPem } = authority.issue({ subject: 'box.example', names: ['127.0.0.1'] });
    const paths = {
      cert: join(directory.path, 'c.pem'),
      key: join(directory.path, 'k.pem'),
      ca: join(directory.path, 'ca.pem'),
    };
    await Promise.all([Bun.write(paths.cert, pem), Bun.write(paths.key, keyPem), Bun.write(paths.ca, authority.pem)]);
    const dataDir = join(directory.path, 'data');
    const key = await keyFile(directory.path, dataDir, '--scope', 'batch');
    await using service = await startService(dataDir, ['--tls-certificate', paths.cert, '--tls-key', paths.key]);
    const args = ['--key', key, 'https://a.example/'];
    const refused = await lurecheck(['check', '--server', service.url, ...args], {
      environment: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    });
    expect([refused.exitCode, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('has an untrusted certificate');
    expect((await check(service.url, '--egress-ca', paths.ca, ...args)).exitCode).toBe(0);
    const otherName = service.url.replace('127.0.0.1', 'localhost');
    const misnamed = await check(otherName, '--egress-ca', paths.ca, ...args);
    expect([misnamed.exitCode, misnamed.stderr]).toEqual([
      1,
      `lurecheck: the service at ${otherName} has a certificate for a different name\n`,
    ]);
  });

  test('does not follow a redirect, so that no other server receives the key', async () => {
    await using directory = temporaryDirectory();
    const key = join(directory.path, 'some.key');
    await Bun.write(key, 'lck_some\n');
    await using other = startServer(() => Response.json({ items: [] }));
    await using server = startServer(() => Response.redirect(`${other.url}/api/check-urls`, 307));
    const { exitCode, stderr } = await check(server.url, '--key', key, 'https://a.example/');
    expect([exitCode, stderr]).toEqual([1, `lurecheck: the service at ${server.url} answers with status 307\n`]);
    expect([other.sent, server.sent]).toEqual([[], [{ path: '/api/check-urls', authorization: 'Bearer lck_some' }]]);
  });

  test.each<[string, (server: string) => Promise<Finished>, string]>([
    [
      'answers something else',
      async (server) => await check(server, 'https://a.example/'),
      'sent an answer that this version does not understand',
    ],
    [
      'is at another path',
      async (server) => await check(`${server}/x`, 'https://a.example/'),
      'answers with status 404: expected a lurecheck',
    ],
    [
      'is not there',
      async () => await check('http://127.0.0.1:1', 'https://a.example/'),
      'is unreachable (ECONNREFUSED)',
    ],
  ])('reports a service that %s in one line', async (_, run, sentence) => {
    await using server = startServer((__, { url }) =>
      new URL(url).pathname === '/api/check-urls' ? new Response('<p>hello') : new Response('', { status: 404 }),
    );
    const { exitCode, stdout, stderr } = await run(server.url);
    expect([exitCode, stdout, stderr.trimEnd().split('\n').length]).toEqual([1, '', 1]);
    expect(stderr).toContain(sentence);
  });

  test('reports a key that is unknown or lacks the scope', async () => {
    await using directory = temporaryDirectory();
    const dataDir = join(directory.path, 'data');
    const single = await keyFile(directory.path, dataDir);
    await using service = await startService(dataDir);
    const wrong = join(directory.path, 'wrong.key');
    await Bun.write(wrong, 'lck_wrong');
    const [refused, other] = [
      await check(service.url, '--key', wrong, 'https://a.example/'),
      await check(service.url, '--key', single, 'https://a.example/'),
    ];
    expect([refused.exitCode, refused.stderr.includes('refuses (401): This key is not known here')]).toEqual([1, true]);
    expect([other.exitCode, other.stderr.includes('lacks the scope "batch"')]).toEqual([1, true]);
  });
});
