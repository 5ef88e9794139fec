import { describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { join } from 'node:path';
import tls from 'node:tls';
import { createCertificateAuthority, createSelfSigned, type Issued } from '#test/support/certificate-authority.ts';
import { lurecheck } from '#test/support/executable.ts';
import { reload } from '#test/support/reload.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const authority = createCertificateAuthority(Date.now());
const issue = (subject: string) => authority.issue({ subject, names: ['localhost', '127.0.0.1', subject] });
const trusted = { tls: { ca: authority.pem } };
const BODY = '{"url":"http://example.com/"}';

/** The flags for a pair, once its files are written. */
async function pairIn(folder: string, { pem, keyPem }: Pick<Issued, 'pem' | 'keyPem'>): Promise<string[]> {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  await Promise.all([Bun.write(certificate, pem), Bun.write(key, keyPem)]);
  return ['--tls-certificate', certificate, '--tls-key', key];
}

/** A connection to a service, open, that does not ask who it is. */
async function connect({ url }: Pick<Service, 'url'>, options: tls.ConnectionOptions = {}): Promise<tls.TLSSocket> {
  const socket = tls.connect({
    host: '127.0.0.1',
    port: Number(new URL(url).port),
    rejectUnauthorized: false,
    ...options,
  });
  await once(socket, 'secureConnect');
  return socket;
}

async function subjectShownBy(service: Pick<Service, 'url'>): Promise<unknown> {
  const socket = await connect(service);
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return subject.CN;
}

describe('with a certificate', () => {
  test('the service uses only https, for the page, checks and healthcheck', async () => {
    await using directory = temporaryDirectory();
    const flags = await pairIn(directory.path, issue('box.example'));
    await using service = await startService(directory.path, flags);
    expect(service.url).toStartWith('https://127.0.0.1:');
    expect((await fetch(service.url, trusted)).headers.get('content-type')).toStartWith('text/html');
    const check = { method: 'POST', headers: { 'content-type': 'application/json', origin: service.url }, body: BODY };
    expect((await fetch(`${service.url}/api/check-url`, { ...check, ...trusted })).status).toBe(200);
    const foreign = { ...check.headers, origin: 'https://evil.example' };
    expect((await fetch(`${service.url}/api/check-url`, { ...check, headers: foreign, ...trusted })).status).toBe(403);
    expect((await fetch(service.url.replace('https:', 'http:')).catch(() => null))?.ok).not.toBe(true);
    const listen = ['--listen', new URL(service.url).host];
    const asked = await lurecheck(['healthcheck', ...listen, ...flags]);
    expect(asked).toEqual({ exitCode: 0, stdout: 'ready\n', stderr: '' });
  });

  test('Strict-Transport-Security is sent only on the default port of https', async () => {
    await using directory = temporaryDirectory();
    await using service = await startService(directory.path, await pairIn(directory.path, issue('box.example')));
    const promised = async (path: string, host: string) =>
      (await fetch(service.url + path, { ...trusted, headers: { host } })).headers.get('strict-transport-security');
    for (const path of ['/', '/livez', '/api/history', '/nothing']) {
      expect([path, await promised(path, 'localhost')]).toEqual([path, 'max-age=31536000']);
      expect([path, await promised(path, new URL(service.url).host)]).toEqual([path, null]);
    }
    await using other = temporaryDirectory();
    await using plain = await startService(other.path);
    const { headers } = await fetch(plain.url, { headers: { host: 'localhost' } });
    expect(headers.get('strict-transport-security')).toBeNull();
  });

  test('versions of TLS before 1.2 are refused', async () => {
    await using directory = temporaryDirectory();
    await using service = await startService(directory.path, await pairIn(directory.path, issue('box.example')));
    const spoken = async (version: tls.SecureVersion) => {
      try {
        const socket = await connect(service, { minVersion: version, maxVersion: version });
        const protocol = socket.getProtocol();
        socket.destroy();
        return protocol;
      } catch (error) {
        return error instanceof Error && 'code' in error ? error.code : error;
      }
    };
    expect([await spoken('TLSv1.3'), await spoken('TLSv1.2')]).toEqual(['TLSv1.3', 'TLSv1.2']);
    const refusal = 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION';
    expect([await spoken('TLSv1.1'), await spoken('TLSv1')]).toEqual([refusal, refusal]);
  });

  test('a second service on the same port ends with an error', async () => {
    await using directory = temporaryDirectory();
    await using other = temporaryDirectory();
    const flags = await pairIn(directory.path, issue('box.example'));
    await using service = await startService(directory.path, flags);
    const { host } = new URL(service.url);
    const second = await lurecheck(['serve', '--listen', host, '--data-dir', other.path, ...flags]);
    expect([second.exitCode, second.stdout]).toEqual([1, '']);
    expect(second.stderr).toContain(`cannot listen on ${host}: another program already listens there`);
  });
});

describe('a renewed certificate', () => {
  test('is used for new connections after SIGHUP, and a request in progress is answered', async () => {
    await using directory = temporaryDirectory();
    await using service = await startService(directory.path, await pairIn(directory.path, issue('old.example')));
    expect(await subjectShownBy(service)).toBe('old.example');
    const underWay = await connect(service);
    const head = `POST /api/check-url HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}`;
    underWay.write(`${head}\r\n\r\n${BODY.slice(0, 9)}`);
    // It is under way once another, sent later, has been answered.
    await fetch(`${service.url}/livez`, trusted);
    await pairIn(directory.path, issue('new.example'));
    expect(await reload(service)).toEqual({ level: 'info', event: 'settings.reread' });
    expect(await subjectShownBy(service)).toBe('new.example');
    underWay.write(BODY.slice(9));
    const [answer] = await once(underWay, 'data');
    expect(String(answer)).toStartWith('HTTP/1.1 200');
    expect((await fetch(`${service.url}/readyz`, trusted)).status).toBe(200);
  });

  test('is used at SIGHUP for new connections of ICAP over TLS', async () => {
    await using directory = temporaryDirectory();
    const pair = await pairIn(directory.path, issue('old.example'));
    await using service = await startService(directory.path, [...pair, '--icap-tls-listen', '127.0.0.1:0']);
    const [ready] = service.events().filter(({ event }) => event === 'server.listening');
    const [url] = Array.isArray(ready?.['icap_urls']) ? ready['icap_urls'] : [];
    const icap = { url: String(url) };
    expect(await subjectShownBy(icap)).toBe('old.example');
    await pairIn(directory.path, issue('new.example'));
    await reload(service);
    expect(await subjectShownBy(icap)).toBe('new.example');
  });

  test('that is invalid leaves the old one active, and is reported', async () => {
    await using directory = temporaryDirectory();
    await using service = await startService(directory.path, await pairIn(directory.path, issue('old.example')));
    await pairIn(directory.path, { pem: issue('new.example').pem, keyPem: issue('another.example').keyPem });
    expect(await reload(service)).toEqual({
      level: 'error',
      event: 'settings.kept',
      problems: [`tls_key is "${join(directory.path, 'key.pem')}", which is the key of another certificate`],
    });
    expect(await subjectShownBy(service)).toBe('old.example');
  });

  test('can be loaded any number of times', async () => {
    await using directory = temporaryDirectory();
    const service = await startService(directory.path, await pairIn(directory.path, issue('n0.example')));
    for (let n = 1; n <= 12; n++) {
      await pairIn(directory.path, issue(`n${n}.example`));
      await reload(service);
    }
    expect(await subjectShownBy(service)).toBe('n12.example');
    expect(await service.stop()).toBe(0);
    expect(service.output.stderr).not.toContain('Warning');
  });

  test('requires a restart if there was no certificate before', async () => {
    await using directory = temporaryDirectory();
    const config = join(directory.path, 'lurecheck.toml');
    const usual = `listen = "127.0.0.1:0"\nnetwork = "none"\ndata_dir = "${directory.path}"\n`;
    await Bun.write(config, usual);
    await using service = await startService(directory.path, ['--config', config]);
    const [, certificate, , key] = await pairIn(directory.path, issue('new.example'));
    await Bun.write(config, `${usual}tls_certificate = "${certificate}"\ntls_key = "${key}"\n`);
    await reload(service);
    expect(service.output.stdout).toContain('"settings":["tls_certificate","tls_key"]');
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });
});

describe('rejects an invalid certificate or key before it serves requests:', () => {
  const [one, two] = [issue('one.example'), issue('two.example')];
  const encrypted = one.privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' });
  const DAMAGED = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  test.each([
    ['a key of another', one.pem, two.keyPem, 'tls_key', 'is the key of another certificate'],
    ['an encrypted key', one.pem, String(encrypted), 'tls_key', 'is encrypted: store it without a passphrase'],
    ['a key that is none', one.pem, 'junk', 'tls_key', 'holds no private key in PEM form'],
    ['a certificate that is none', 'junk', one.keyPem, 'tls_certificate', 'holds no certificate in PEM form'],
    ['a key in its place', one.keyPem, one.keyPem, 'tls_certificate', 'holds no certificate in PEM form'],
    [
      'a damaged chain',
      one.pem + DAMAGED,
      one.keyPem,
      'tls_certificate',
      'holds 2 in PEM form, of which number 2 is no certificate',
    ],
  ])('%s', async (_, pem, keyPem, setting, problem) => {
    await using directory = temporaryDirectory();
    const flags = await pairIn(directory.path, { pem, keyPem });
    const path = flags[flags.indexOf(`--${setting.replace('_', '-')}`) + 1];
    for (const command of [
      ['config', 'check'],
      ['serve', '--data-dir', directory.path, '--listen', '127.0.0.1:0'],
    ]) {
      expect(await lurecheck([...command, ...flags])).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: `lurecheck: ${setting} is "${path}", which ${problem}\n`,
      });
    }
  });

  test('a certificate without a key, or a key without a certificate', async () => {
    for (const [flag, missing] of [
      ['tls-certificate', 'tls_key'],
      ['tls-key', 'tls_certificate'],
    ]) {
      const { exitCode, stderr } = await lurecheck(['serve', `--${flag}`, '/x.pem']);
      expect([exitCode, stderr]).toEqual([2, `lurecheck: ${flag?.replace('-', '_')} is set, but ${missing} is not\n`]);
    }
  });

  test('but accepts a self-signed certificate', async () => {
    await using directory = temporaryDirectory();
    const own = createSelfSigned(Date.now(), { subject: 'box.example' });
    await using service = await startService(directory.path, await pairIn(directory.path, own));
    expect(await subjectShownBy(service)).toBe('box.example');
  });
});
