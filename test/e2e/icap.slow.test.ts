import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DAY_MS } from '#src/core/base/clock.ts';
import { writeConfigFile } from '#test/lab/config-file.ts';
import { askIcap, sendIcap } from '#test/support/ask-icap.ts';
import { lurecheck } from '#test/support/executable.ts';
import { reqmod } from '#test/support/icap-bytes.ts';
import { type IcapService, startIcapService } from '#test/support/icap-service.ts';
import { startInternet } from '#test/support/internet.ts';
import { peakRssBytes } from '#test/support/peak-memory.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until, untilSeen } from '#test/support/until.ts';

const MIB = 2 ** 20;
const LISTED = 'http://listed.example.com/some/path?token=abc';
const SURE = 'http://paypa1-secure-login.verify-account.top/signin';

const command = (dataDir: string, ...args: string[]) => lurecheck([...args, '--data-dir', dataDir]);

async function block(dataDir: string, entry: string): Promise<void> {
  const { exitCode, stderr } = await command(dataDir, 'lists', 'add', 'ours', entry);
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
}

/** What the private log holds, as JSON. */
async function privateLog(dataDir: string): Promise<{ analysis_details: { gate?: object; normalized_url: string } }[]> {
  const { stdout } = await command(dataDir, 'log', '--private', '--format', 'ndjson');
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

describe('the gate in watch mode, the default', () => {
  let directory: ReturnType<typeof temporaryDirectory>;
  let icap: IcapService;
  beforeAll(async () => {
    directory = temporaryDirectory();
    await block(directory.path, 'listed.example.com');
    icap = await startIcapService(directory.path, ['--admin-listen', '127.0.0.1:0']);
  });
  afterAll(async () => {
    await icap.service[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
  });

  test('passes every request, logs what it would hold, and records it once in the private log', async () => {
    for (let times = 0; times < 2; times++) {
      expect(await askIcap(icap.port, LISTED)).toMatchObject({
        status: 204,
        rule: 'list-blocks',
        decision: 'block',
        isWatched: true,
      });
    }
    expect(await askIcap(icap.port, SURE)).toMatchObject({ status: 204, rule: 'spelling', isWatched: true });
    expect(await askIcap(icap.port, 'http://www.wikipedia.org/')).toMatchObject({
      status: 204,
      rule: 'passed',
      isWatched: false,
    });
    const held = () => icap.service.events().filter(({ event }) => event === 'gate.held');
    await until(() => held().length === 2);
    expect(JSON.stringify(held())).not.toMatch(/example\.com|verify-account|192\.0\.2/);
    const records = await privateLog(directory.path);
    expect(records.map(({ analysis_details: { gate } }) => gate)).toEqual([
      { way: 'icap', rule: 'spelling', held: false },
      { way: 'icap', rule: 'list-blocks', held: false },
    ]);
    expect((await icap.service.history()).items).toEqual([]);
  });

  test('passes CONNECT as well', async () => {
    const connect = { method: 'CONNECT', lines: ['Host: listed.example.com:443'] };
    expect(await askIcap(icap.port, 'listed.example.com:443', connect)).toMatchObject({ status: 204, isWatched: true });
  });

  test('holds the blocked canary while it watches, and records none that a proxy did not pass on', async () => {
    expect(await askIcap(icap.port, 'http://block.lurecheck.test/', { fields: [] })).toMatchObject({
      rule: 'list-blocks',
      isWatched: false,
    });
    expect(await askIcap(icap.port, 'http://allow.lurecheck.test/')).toMatchObject({
      rule: 'list-allows',
      isWatched: false,
    });
    const records = await privateLog(directory.path);
    expect(JSON.stringify(records)).not.toContain('lurecheck.test');
  });

  test('gate report counts by host, and gate test names the rule', async () => {
    const { stdout } = await command(directory.path, 'gate', 'report', '--json');
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ mode: 'watch', watching_since: expect.any(String) });
    expect(report.hosts).toContainEqual(
      expect.objectContaining({
        host: 'paypa1-secure-login.verify-account.top',
        records: 1,
        clients: 1,
        held: 0,
        rules: ['spelling'],
      }),
    );
    expect((await command(directory.path, 'gate', 'report')).stdout).toContain('lists add gate');
    const tested = await command(directory.path, 'gate', 'test', SURE, '--json');
    expect(JSON.parse(tested.stdout)).toMatchObject({
      rule: 'spelling',
      would_hold: true,
      mode: 'watch',
      gate_block: 0.997,
    });
    expect((await command(directory.path, 'gate', 'test', LISTED, '--connect')).stdout).toContain('list-blocks');
  });

  test('metrics count requests by outcome, without a URL', async () => {
    const admin = icap.service.events()[0]?.['admin_url'];
    const text = await (await fetch(`${admin}/metrics`)).text();
    expect(text).toMatch(/lurecheck_gate_requests_total\{way="icap",outcome="would_hold"\} \d/);
    expect(text).toMatch(/lurecheck_gate_requests_total\{way="icap",outcome="passed"\} \d/);
    expect(text).toMatch(/lurecheck_gate_seconds_count \d/);
    expect(text).toMatch(/lurecheck_icap_connections \d/);
    expect(text).not.toContain('listed.example');
  });
});

describe('the gate in hold mode', () => {
  let directory: ReturnType<typeof temporaryDirectory>;
  let icap: IcapService;
  beforeAll(async () => {
    directory = temporaryDirectory();
    await block(directory.path, 'listed.example.com');
    const settings = ['--gate-mode', 'hold', '--public-url', 'https://check.example/base/', '--gate-override'];
    icap = await startIcapService(directory.path, settings);
  });
  afterAll(async () => {
    await icap.service[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
  });

  test('returns a page with the host, the reasons and a number, in the language of the reader', async () => {
    const lines = ['Accept: text/html', 'Accept-Language: fr;q=0.5, de-AT, en;q=0.8'];
    const reply = await askIcap(icap.port, SURE, { lines });
    expect(reply).toMatchObject({
      status: 200,
      httpStatus: 403,
      rule: 'spelling',
      decision: 'block',
      isWatched: false,
    });
    const [, head = '', page = ''] = reply.text.split('\r\n\r\n');
    expect(head).toContain('Cache-Control: no-store');
    expect(page).toContain('<html lang="de" dir="ltr">');
    expect(page).toContain('<bdi>paypa1-secure-login.verify-account.top</bdi>');
    expect(page).toContain('<li>');
    expect(page).not.toContain('/signin');
    const [id] = /[\da-f-]{36}(?=<\/code>)/.exec(page) ?? [''];
    expect(page).toContain(`href="https://check.example/base/#/report/${id}"`);
    await until(() => icap.service.events().some(({ request_id }) => request_id === id));
    expect((await command(directory.path, 'log', '--private', '--id', id)).stdout).toContain('verify-account.top');
  });

  test('answers HEAD without a body', async () => {
    const { httpStatus, text } = await askIcap(icap.port, LISTED, { method: 'HEAD' });
    expect([httpStatus, text.includes('null-body='), text.includes('<html')]).toEqual([403, true, false]);
  });

  test('lets a client open a site after a warning, unless a list blocks the site', async () => {
    const linkIn = (text: string) => /href="(\/\.well-known\/[^"]+)"/.exec(text)?.[1];
    expect(linkIn((await askIcap(icap.port, LISTED)).text)).toBeUndefined();
    const link = linkIn((await askIcap(icap.port, SURE)).text);
    expect(link).toBeDefined();
    const grant = new URL(link ?? '', SURE).href;
    const other = { fields: ['X-Client-IP: 192.0.2.8'] };
    expect(await askIcap(icap.port, grant, other)).toMatchObject({ rule: 'spelling' });
    const granted = await askIcap(icap.port, grant);
    expect(granted).toMatchObject({ httpStatus: 303, rule: 'override' });
    expect(granted.text).toContain(`Location: ${SURE}\r\n`);
    expect(await askIcap(icap.port, SURE)).toMatchObject({ status: 204, rule: 'override' });
    expect(await askIcap(icap.port, SURE, other)).toMatchObject({ httpStatus: 403 });
  });

  test('passes a host as soon as it is allowed, and changes the ISTag', async () => {
    const before = await askIcap(icap.port, LISTED);
    expect(before.httpStatus).toBe(403);
    expect((await command(directory.path, 'lists', 'add', 'gate', LISTED, '--action', 'allow')).exitCode).toBe(0);
    await untilSeen('the host passes', async () => (await askIcap(icap.port, LISTED)).status === 204);
    expect((await askIcap(icap.port, LISTED)).istag).not.toBe(before.istag);
    // The narrower entry decides: the rest of the host stays blocked.
    expect((await askIcap(icap.port, 'http://listed.example.com/other')).httpStatus).toBe(403);
  });

  test('uses little memory for a client that sends a body and never reads its echo', async () => {
    const before = await peakRssBytes(icap.service.pid);
    const socket = connect(icap.port, '127.0.0.1');
    socket.pause();
    socket.on('error', () => {});
    socket.write(reqmod('POST http://www.wikipedia.org/ HTTP/1.1\r\n\r\n', { body: 'req-body', fields: [] }));
    const chunk = Buffer.alloc(65_536, 'x');
    for (let sent = 0; sent < 96 * MIB; sent += chunk.length)
      socket.write(Buffer.concat([Buffer.from('10000\r\n'), chunk, Buffer.from('\r\n')]));
    // The service reads on until its answers fill the buffers of the kernel.
    let taken = -1;
    await untilSeen('it stops reading', async () => {
      const now = socket.bytesWritten - socket.writableLength;
      const isStill = now === taken;
      taken = now;
      return isStill;
    });
    expect((await peakRssBytes(icap.service.pid)) - before).toBeLessThan(48 * MIB);
    socket.destroy();
    expect(await askIcap(icap.port, SURE, { fields: ['X-Client-IP: 192.0.2.9'] })).toMatchObject({ httpStatus: 403 });
  });

  test('is not delayed by 500 incomplete requests', async () => {
    const half = reqmod('GET http://www.wikipedia.org/ HTTP/1.1\r\n\r\n').slice(0, 40);
    const sockets = Array.from({ length: 490 }, () => connect(icap.port, '127.0.0.1'));
    for (const socket of sockets) socket.on('error', () => {}).write(half);
    expect(await askIcap(icap.port, SURE, { fields: ['X-Client-IP: 192.0.2.9'] })).toMatchObject({ httpStatus: 403 });
    for (const socket of sockets) socket.destroy();
  });

  test('completes the requests that it has received when it stops', async () => {
    const bytes = reqmod('POST http://www.wikipedia.org/ HTTP/1.1\r\n\r\n', {
      body: 'req-body',
      fields: ['Allow: 204'],
      tail: '3\r\nabc\r\n0\r\n\r\n',
    });
    const answered = await sendIcap(
      icap.port,
      bytes + reqmod('GET http://www.wikipedia.org/ HTTP/1.1\r\n\r\n', { fields: ['Allow: 204', 'Connection: close'] }),
    );
    expect(answered.match(/ICAP\/1\.0 204/g)).toHaveLength(2);
    expect(await icap.service.stop()).toBe(0);
  });
});

test('a doubtful link passes, and is held once a lookup of its host has found evidence', async () => {
  const name = 'secure-login.account-update.xyz';
  const dayAgo = new Date(Date.now() - DAY_MS).toISOString();
  await using internet = await startInternet({ [name]: { registration: { created: dayAgo } } });
  await using directory = temporaryDirectory();
  const config = await writeConfigFile(internet, directory.path);
  const { service, port } = await startIcapService(directory.path, [
    '--network',
    'full',
    '--config',
    config,
    '--gate-mode',
    'hold',
  ]);
  await using _ = service;
  const url = internet.url(name, '/reset?token=abc');
  expect(await askIcap(port, url)).toMatchObject({ status: 204, rule: 'doubtful' });
  await untilSeen('it is held', async () => (await askIcap(port, url)).rule === 'deep');
  expect(internet.visits.filter((visit) => visit.startsWith(`https ${name}`))).toEqual([]);
  await until(() => service.events().some(({ event, rule }) => event === 'gate.held' && rule === 'deep'));
  const [record] = await privateLog(directory.path);
  expect(record?.analysis_details).toMatchObject({ gate: { rule: 'deep', held: true }, whois_info: { status: 'ok' } });
});

test('a reload changes the gate from watch mode to hold mode', async () => {
  await using directory = temporaryDirectory();
  await block(directory.path, 'listed.example.com');
  const file = join(directory.path, 'lurecheck.toml');
  writeFileSync(file, 'gate_mode = "watch"\n');
  const { service, port } = await startIcapService(directory.path, ['--config', file]);
  await using _ = service;
  expect((await askIcap(port, LISTED)).status).toBe(204);
  writeFileSync(file, 'gate_mode = "hold"\n');
  process.kill(service.pid, 'SIGHUP');
  await untilSeen('it holds', async () => (await askIcap(port, LISTED)).httpStatus === 403);
});

test('config check warns about hold mode without earlier watching, and doctor probes the service', async () => {
  await using directory = temporaryDirectory();
  const { service, port } = await startIcapService(directory.path, ['--gate-mode', 'hold']);
  await using _ = service;
  const settings = ['--gate-mode', 'hold', '--icap-listen', `127.0.0.1:${port}`];
  const checked = await command(directory.path, 'config', 'check', ...settings);
  expect([checked.exitCode, checked.stderr]).toEqual([0, expect.stringContaining('less than a day')]);
  expect((await command(directory.path, 'config', 'check')).stderr).toBe('');
  const doctor = await command(directory.path, 'doctor', ...settings);
  expect(doctor.stdout).toContain('answers OPTIONS and both test links');
});

test('feedback by the number on the page contains the host without path and parameters', async () => {
  await using directory = temporaryDirectory();
  await block(directory.path, 'listed.example.com');
  const { service, port } = await startIcapService(directory.path, ['--gate-mode', 'hold']);
  await using _ = service;
  const [id] = /[\da-f-]{36}(?=<\/code>)/.exec((await askIcap(port, LISTED)).text) ?? [];
  await until(() => service.events().some(({ request_id }) => request_id === id));
  const body = JSON.stringify({ request_id: id, verdict: 'benign', comment: 'our partner' });
  const given = await fetch(`${service.url}/api/feedback`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(given.status).toBe(202);
  const list = async () => (await command(directory.path, 'feedback', 'list')).stdout;
  await untilSeen('the feedback', async () => (await list()).includes('our partner'));
  expect(await list()).toContain('http://listed.example.com/');
  expect(await list()).not.toContain('token=abc');
});

test('passwords, cookies and user names from a proxy are in no file, output or bundle', async () => {
  const secret = () => `zq${crypto.randomUUID().replaceAll('-', '')}`;
  const [proxyPassword, cookie, token, user] = [secret(), secret(), secret(), secret()];
  const basic = btoa(`anna:${proxyPassword}`);
  await using directory = temporaryDirectory();
  await block(directory.path, 'listed.example.com');
  const { service, port } = await startIcapService(directory.path, ['--log-level', 'debug', '--gate-mode', 'hold']);
  const fields = [`Proxy-Authorization: Basic ${basic}`, `X-Client-Username: ${user}`, 'X-Client-IP: 192.0.2.7'];
  const lines = ['Accept: text/html', `Cookie: s=${cookie}`, `Authorization: Bearer ${token}`];
  for (const url of [LISTED, SURE, 'http://www.wikipedia.org/', 'not a url'])
    await askIcap(port, url, { fields, lines });
  // Malformed ones as well.
  await sendIcap(port, `REQMOD icap://x/x ICAP/1.0\r\nProxy-Authorization: Basic ${basic}\r\n folded\r\n\r\n`);
  await sendIcap(port, `${reqmod(`GET / HTTP/1.1\r\nCookie: ${cookie}\r\n\r\n`, { fields })}broken\r\n\r\n`);
  await until(() => service.events().filter(({ event }) => event === 'gate.held').length === 2);
  const bundle = join(directory.path, 'bundle.txt');
  expect((await command(directory.path, 'doctor', '--bundle', bundle)).exitCode).not.toBe(2);
  expect(await service.stop()).toBe(0);
  const output = service.output.stdout + service.output.stderr;
  const files = readdirSync(directory.path, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(directory.path, name)).isFile(),
  );
  expect(files).toContain('bundle.txt');
  for (const planted of [proxyPassword, basic, cookie, token, user]) {
    expect(output).not.toContain(planted);
    expect(files.filter((name) => readFileSync(join(directory.path, name)).includes(planted))).toEqual([]);
  }
  // The URLs of held requests are in the private log alone.
  expect(
    files
      .filter((name) => !name.startsWith('private.') && name !== 'lists')
      .filter((name) => readFileSync(join(directory.path, name)).includes('token=abc')),
  ).toEqual([]);
  expect(output).not.toContain('token=abc');
});
