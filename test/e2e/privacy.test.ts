import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lurecheck } from '#test/support/executable.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/** A word that is nowhere unless the URL leaked. It is read as lower case by the engine, so it holds nothing else. */
const TOKEN = `zq${crypto.randomUUID().replaceAll('-', '')}`;
const PRIVATE_URLS = [
  `http://${TOKEN}.example.com/`,
  `http://example.com/${TOKEN}?q=${TOKEN}`,
  `http://${TOKEN}:${TOKEN}@example.com/`,
];

/** Every file below a folder that holds the text. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .filter((name) => readFileSync(join(folder, name)).includes(text));
}

async function readPublic(service: Service): Promise<string> {
  const paths = ['/api/history?limit=500', '/api/stats', '/readyz', '/livez', '/swagger/json', '/'];
  const bodies = paths.map(async (path) => (await fetch(service.url + path)).text());
  return (await Promise.all(bodies)).join('\n');
}

test('a private URL is only in the private log', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path, ['--log-level', 'debug']);
  for (const url of PRIVATE_URLS) expect((await service.check(url, true)).status).toBe(200);
  await service.check('http://example.org/', false);
  expect(await readPublic(service)).not.toContain(TOKEN);
  expect(filesWith(directory.path, TOKEN).filter((name) => !name.startsWith('private.sqlite'))).toEqual([]);
  expect(await service.stop()).toBe(0);
  expect(service.output.stdout + service.output.stderr).not.toContain(TOKEN);
  expect(filesWith(directory.path, TOKEN).filter((name) => !name.startsWith('private.sqlite'))).toEqual([]);
  const log = await lurecheck(['log', '--data-dir', directory.path, '--private', '--format', 'tsv']);
  expect(log.stdout).toContain(TOKEN);
});

test('a private request with an invalid member leaves no trace', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path, ['--log-level', 'debug']);
  const members = [
    '"private":true',
    '"privateMode":true',
    '"private_mode":"true"',
    '"private_mode":1',
    '"private_mode":null',
  ];
  for (const member of members) {
    const response = await fetch(`${service.url}/api/check-url`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"url":"http://example.com/${TOKEN}",${member}}`,
    });
    expect(response.status).toBe(400);
  }
  await service.stop();
  expect(filesWith(directory.path, TOKEN)).toEqual([]);
  expect(service.output.stdout + service.output.stderr).not.toContain(TOKEN);
});

test('passwords and secrets of a public URL are in no file and no output', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path, ['--log-level', 'debug']);
  await service.check(`https://someone:${TOKEN}@example.com/login?access_token=${TOKEN}&page=2`);
  expect((await service.history()).items[0]?.url).toBe('https://someone:***@example.com/login?access_token=***&page=2');
  await service.stop();
  expect(filesWith(directory.path, TOKEN)).toEqual([]);
  expect(service.output.stdout + service.output.stderr).not.toContain(TOKEN);
});

test('a password in a parameter is in no file or log, and in no member of the response but url', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path, ['--log-level', 'debug']);
  const urls = [
    `https://example.com/?pw=${TOKEN}`,
    `https://example.com/#kennwort=${TOKEN}`,
    `https://example.com/${TOKEN.slice(0, 3)}?pw=${TOKEN}&next=https%3A%2F%2Fa%3A${TOKEN}%40b.example%2F#kennwort=${TOKEN}`,
  ];
  for (const url of urls) {
    for (const isPrivate of [true, false]) {
      const answer = await service.result(url, isPrivate);
      expect(answer.url).toBe(url);
      expect(JSON.stringify(answer.analysis_details)).not.toContain(TOKEN);
    }
  }
  await service.stop();
  expect(filesWith(directory.path, TOKEN)).toEqual([]);
  expect(service.output.stdout + service.output.stderr).not.toContain(TOKEN);
});
