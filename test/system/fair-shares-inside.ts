import { readFileSync } from 'node:fs';
import http from 'node:http';
import { serveDns } from '#test/network/egress/dns-server.ts';
import { PUBLIC } from '#test/support/place.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { serveWeb } from '#test/support/web-server.ts';
import type { FairShares, Patience } from './fair-shares.test.ts';

/**
 * Runs inside a namespace: six clients with addresses of their own ask for twenty checks each of sites that never answer,
 * a seventh asks for sites that do. All the sites are at one address.
 */
const [SITES = '', BOX = '', SEVENTH = '', ...CROWD] = process.argv.slice(2);
const CHECKS_EACH = 20;
/** Within the seventh's limit of twenty, together with the first, which loads what a first check loads. */
const GOOD_CHECKS = 9;

interface Answer {
  /** 0 where the connection was cut without one. */
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly pageStatus: number | undefined;
}

function ask(url: string, localAddress: string, checked: string): Promise<Answer> {
  return new Promise((resolve) => {
    const cut = () => resolve({ status: 0, retryAfter: undefined, pageStatus: undefined });
    const headers = { 'content-type': 'application/json' };
    const request = http.request(`${url}/api/check-url`, { method: 'POST', agent: false, localAddress, headers });
    request.on('error', cut);
    request.on('response', (response) => {
      let body = '';
      response.on('error', cut);
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        const pageStatus = status === 200 ? JSON.parse(body).analysis_details.status_code : undefined;
        resolve({ status, retryAfter: response.headers['retry-after'], pageStatus });
      });
    });
    request.end(JSON.stringify({ url: checked }));
  });
}

/** Processor time that a process has used, in the kernel's ticks of 10 ms. */
function cpuTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function play(patience: Patience): Promise<FairShares> {
  let slowVisits = 0;
  const release = Promise.withResolvers<void>();
  await using directory = temporaryDirectory();
  await using _dns = await serveDns(
    ({ name, type }) => (type === 'A' ? { answers: [{ name, type, ttl: 60, data: SITES }] } : {}),
    { address: PUBLIC.resolver, port: 53 },
  );
  await using _sites = await serveWeb(
    async (path) => {
      if (path === '/good') return { body: '<p>good' };
      slowVisits++;
      await release.promise;
      return { body: '<p>slow' };
    },
    null,
    { address: SITES, port: 80 },
  );
  await using service = await startService(directory.path, [
    ...['--listen', `${BOX}:8080`, '--network', 'full', '--dns-server', PUBLIC.resolver],
    ...['--probe-off', 'registration', '--rate-limit', '20'],
    ...['--deadline-seconds', patience === 'long' ? '60' : '2'],
  ]);

  let goodOnes = 0;
  const askForGood = async () => {
    const times: number[] = [];
    const answers: Answer[] = [];
    const ticksBefore = cpuTicks(service.pid);
    for (let i = 0; i < GOOD_CHECKS; i++) {
      const began = performance.now();
      answers.push(await ask(service.url, SEVENTH, `http://good-${goodOnes++}.com/good`));
      times.push(performance.now() - began);
    }
    return { answers, medianMs: median(times), ticks: cpuTicks(service.pid) - ticksBefore };
  };

  await ask(service.url, SEVENTH, 'http://good.com/good');
  const alone = await askForGood();
  const crowdAnswers: Answer[] = [];
  const crowd = CROWD.flatMap((client, c) =>
    Array.from({ length: CHECKS_EACH }, async (_, i) => {
      crowdAnswers.push(await ask(service.url, client, `http://slow-${c}-${i}.com/slow`));
    }),
  );
  // Who is refused for want of room says that everybody else is in.
  while (crowdAnswers.length === 0 || slowVisits < 16) await Bun.sleep(10);
  const slowAnsweredBefore = crowdAnswers.filter(({ status }) => status === 200).length;
  const inCrowd = patience === 'long' ? await askForGood() : null;
  const slowAnsweredAfter = crowdAnswers.filter(({ status }) => status === 200).length;
  if (patience === 'long') release.resolve();
  await Promise.all(crowd);
  release.resolve();
  const { items } = (await (await fetch(`${service.url}/api/history?limit=500`)).json()) as { items: unknown[] };
  return {
    good: [alone, inCrowd ?? alone].map(({ medianMs, ticks, answers }) => ({
      medianMs,
      ticks,
      seen: answers.filter(({ pageStatus }) => pageStatus === 200).length,
    })),
    goodChecks: GOOD_CHECKS,
    slowTurnsWaitedFor: slowAnsweredAfter - slowAnsweredBefore,
    statuses: Object.fromEntries(
      [...Map.groupBy(crowdAnswers, ({ status }) => String(status))].map(([status, { length }]) => [status, length]),
    ),
    withoutRetryAfter: crowdAnswers.filter(({ status, retryAfter }) => status === 503 && !(Number(retryAfter) >= 1))
      .length,
    inHistory: items.length - 1 - GOOD_CHECKS * (inCrowd ? 2 : 1),
  };
}

process.stdout.write(JSON.stringify({ long: await play('long'), short: await play('short') }), () => process.exit(0));
