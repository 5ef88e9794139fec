import { expect, test } from 'bun:test';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { serveDns } from '#test/network/egress/dns-server.ts';
import { serveScript } from '#test/network/egress/script-server.ts';
import { lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { serveWeb } from '#test/support/web-server.ts';

const refused = (component: string) => ({ component, reason: 'refused_by_policy' as const });

/** A port that nobody listens on, for now. */
async function freePort(): Promise<number> {
  await using server = await serveScript(() => []);
  return server.port;
}

test('the service never connects to itself, even if its address and port are allowed', async () => {
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

const INNER = 'db.corp.example.net';
const ALIAS = 'alias.stranger.example';

/** How long a resolver may keep that there is no such name (RFC 2308 §5). */
const NEGATIVE = {
  authority: [
    {
      name: 'example.net',
      type: 'SOA',
      ttl: 60,
      data: {
        primary: 'ns.example.net',
        contact: 'h.example.net',
        serial: 1,
        refresh: 60,
        retry: 60,
        expire: 60,
        minimum: 60,
      },
    },
  ],
};

/** What a resolver with an inner side says of the inner name: null, that there is none; and of an alias that strangers made. */
function innerDns(address: string | null) {
  const type = address?.includes(':') ? 'AAAA' : 'A';
  return serveDns(({ name, type: asked }) => {
    if (name !== INNER && name !== ALIAS) return {};
    const alias = { name, type: 'CNAME', ttl: 60, data: INNER };
    const answers = name === ALIAS ? [alias] : [];
    if (address === null) return { rcode: 'NXDOMAIN', answers, ...NEGATIVE };
    if (asked === 'A' || asked === 'AAAA') {
      return {
        answers: asked === type ? [...answers, { name: INNER, type, ttl: 60, data: address }] : answers,
        ...NEGATIVE,
      };
    }
    return { answers: asked === 'CNAME' ? answers : [] };
  });
}

/** An answer but for what is of this one check: its id, and when and how long it was made. */
function withoutTimes({ analysis_details: { analysis_time: _, timings, ...details }, ...result }: CheckResult) {
  const { request_id: _id, timestamp: _at, ...rest } = result;
  return { ...rest, analysis_details: { ...details, timings: Object.keys(timings).toSorted() } };
}

test('a client cannot distinguish an internal name from one that does not exist', async () => {
  await using stranger = await serveWeb((path) => ({
    status: 302,
    headers: { location: `${path.slice(1)}://${INNER}/` },
  }));
  const urls = [
    `http://${INNER}/login`,
    `https://${INNER}/login`,
    `http://${INNER}:9999/`,
    `http://${ALIAS}/login`,
    `http://127.0.0.1:${stranger.port}/http`,
    `http://127.0.0.1:${stranger.port}/https`,
  ];
  const flags = [
    ...['--network', 'full', '--egress-allow', '127.0.0.1/32', '--egress-port', String(stranger.port)],
    ...['--egress-deny', '93.184.0.0/16'],
  ];

  /** Everything that a client can get to know about each URL, asked twice, in public, in private and in stages. */
  const seenWith = async (address: string | null) => {
    await using directory = temporaryDirectory();
    await using dns = await innerDns(address);
    const resolver = ['--dns-server', `127.0.0.1:${dns.endpoint.port}`];
    await using service = await startService(directory.path, [...flags, ...resolver, '--log-level', 'debug']);
    const answers: unknown[] = [];
    const questions = new Set<string>();
    for (const url of urls) {
      const before = dns.queries.length;
      const result = await service.result(url);
      for (const query of dns.queries.slice(before)) questions.add(`${url} ${query}`);
      answers.push(withoutTimes(result), withoutTimes(await service.result(url)));
      answers.push(withoutTimes(await service.result(url, true)));
      const stages = await fetch(`${service.url}/api/check-url`, {
        method: 'POST',
        headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
        body: JSON.stringify({ url }),
      });
      answers.push((await stages.text()).match(/"stage":"\w+","state":"\w+"/g)?.toSorted());
    }
    const history = (await service.history()).items.map(({ request_id: _id, timestamp: _at, ...item }) => item);
    const told = await lurecheck(['check', '--format', 'ndjson', ...flags, ...resolver, `https://${INNER}/`]);
    return {
      answers: JSON.stringify(answers, null, 1),
      history,
      questions: [...questions].toSorted(),
      diagnostics: service.output.stdout,
      operator: JSON.parse(told.stdout).analysis_details.unavailable,
    };
  };

  const gone = await seenWith(null);
  expect(gone.answers).toContain('not_found');
  for (const address of ['10.1.2.3', '127.0.0.2', '169.254.169.254', '93.184.1.1', 'fd00::5']) {
    const inside = await seenWith(address);
    expect(inside.answers).toBe(gone.answers);
    expect(inside.history).toEqual(gone.history);
    expect(inside.questions).toEqual(gone.questions);
    // The operator is told, by the process log and on the command line.
    expect(inside.diagnostics).toContain(`${INNER} resolves to ${address}`);
    expect(inside.operator).toEqual(expect.arrayContaining([refused('page'), refused('dns'), refused('certificate')]));
  }
});

test('refuses an internal address in a URL, and an internal name without a lookup', async () => {
  await using directory = temporaryDirectory();
  await using dns = await innerDns(null);
  await using service = await startService(directory.path, [
    ...['--network', 'full', '--dns-server', `127.0.0.1:${dns.endpoint.port}`],
  ]);
  for (const host of ['10.1.2.3', '[fd00::5]', 'printer', 'db.internal']) {
    const { analysis_details: details } = await service.result(`http://${host}/`);
    expect(details.unavailable).toContainEqual(refused('page'));
  }
  expect(dns.queries.filter((query) => /printer|internal/.test(query))).toEqual([]);
});
