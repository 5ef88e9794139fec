import { expect, test } from 'bun:test';
import type { CheckResult } from '#src/record/check-result.ts';
import { serveDns } from '#test/egress/dns-server.ts';
import { serveScript } from '#test/egress/script-server.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const refused = (component: string) => ({ component, reason: 'refused_by_policy' as const });

/** A port that nobody listens on, for now. */
async function freePort(): Promise<number> {
  await using server = await serveScript(() => []);
  return server.port;
}

test('the service never visits itself, even where its address and port are allowed', async () => {
  const page = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi';
  await using neighbour = await serveScript(() => [{ op: 'send', data: page }, { op: 'end' }]);
  for (const listen of ['127.0.0.1', '0.0.0.0', 'localhost']) {
    await using directory = temporaryDirectory();
    const port = await freePort();
    await using service = await startService(directory.path, [
      ...['--network', 'full', '--egress-allow', '127.0.0.0/8', '--dns-server', '127.0.0.1:1'],
      ...['--egress-port', String(port), '--egress-port', String(neighbour.port)],
      ...['--listen', `${listen}:${port}`],
    ]);
    for (const host of ['127.0.0.1', '127.1', '0x7f000001']) {
      const { analysis_details: details } = await service.result(`http://${host}:${port}/`);
      expect(details.unavailable).toContainEqual(refused('page'));
      expect(details.status_code).toBe(0);
    }
    const { analysis_details: beside } = await service.result(`http://127.0.0.1:${neighbour.port}/`);
    expect(beside.status_code).toBe(200);
  }
});

/** What an answer says, but for when, and for the name that was asked for. */
function withoutName(result: CheckResult, name: string): string {
  const { analysis_details: details, url } = result;
  const { analysis_time: _time, timings: _timings, ...rest } = details;
  return JSON.stringify({ url, ...rest }).replaceAll(name, 'NAME');
}

test('a refusal tells the same whatever is behind the refused address, and never which address that is', async () => {
  const inside: Readonly<Record<string, string>> = {
    'one.example.net': '10.1.2.3',
    'two.example.net': '192.168.7.8',
    'six.example.net': '169.254.169.254',
    'ten.example.net': '127.0.0.1',
  };
  await using directory = temporaryDirectory();
  await using dns = await serveDns(({ name, type }) => {
    const data = inside[name];
    return type === 'A' && data ? { answers: [{ name, type, ttl: 60, data }] } : {};
  });
  await using service = await startService(directory.path, [
    ...['--network', 'full', '--probe-off', 'registration'],
    ...['--dns-server', `127.0.0.1:${dns.endpoint.port}`],
  ]);
  const answers: string[] = [];
  for (const name of Object.keys(inside)) {
    const result = await service.result(`http://${name}/login`);
    expect(result.analysis_details.unavailable).toEqual(
      expect.arrayContaining([refused('page'), refused('dns'), refused('certificate')]),
    );
    answers.push(withoutName(result, name));
  }
  expect(answers.filter((answer) => Object.values(inside).some((address) => answer.includes(address)))).toEqual([]);
  const looks = answers.map((answer) => {
    const { dns_records, cert_info, unavailable, redirects, final_url, page } = JSON.parse(answer);
    return JSON.stringify({ dns_records, cert_info, unavailable, redirects, final_url, page });
  });
  expect(new Set(looks).size).toBe(1);
});
