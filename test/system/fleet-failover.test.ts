import { expect, test } from 'bun:test';
import { type CheckResult, CheckResultSchema } from '#src/checks/record/check-result.ts';
import { HistoryPageSchema } from '#src/checks/record/history-page.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until, untilSeen } from '#test/support/until.ts';
import type { Reply } from '../soak/ask.ts';
import { createLimitWatch, LIMIT } from '../soak/limit-watch.ts';
import { askOften, checkOf, isAdmitted, isFailed, publicCheck, startClient } from './fleet-clients.ts';
import { startReplicatedDatabases } from './fleet-databases.ts';
import { BLOCKED_HOST, faultsOf, isWell, type Moment } from './fleet-faults.ts';
import { startReplicatedLimiters } from './fleet-limiters.ts';
import { prepareNodes, startNodes } from './fleet-nodes.ts';
import { fleetTable, type Phase } from './fleet-table.ts';

/** From one fault to the next. */
const FAULT_EVERY_MS = 3000;
/** How long a read waits for a database: one that was asked meanwhile may end as late as that. */
const READ_PATIENCE_MS = 10_000;
/** For how long the Redis hangs. */
const REDIS_AWAY_MS = 5000;

/** Clients by their addresses: those in 127.1.0.0/16 have no limit, each of the others asks for more than its own. */
const [OPEN, STAGED, HIDDEN, READER] = ['127.1.0.1', '127.1.0.2', '127.1.0.3', '127.1.0.4'] as const;
const [GREEDY, AWAY, RETURNED] = ['127.0.1.1', '127.0.1.2', '127.0.1.3'] as const;

const NODES = [0, 1, 2];

const idsOf = (replies: readonly Reply[]) => replies.filter(isAdmitted).map(({ requestId }) => requestId ?? '');

test('three nodes with HAProxy, Redis and PostgreSQL with a standby hold their guarantees through all faults', async () => {
  await using directory = temporaryDirectory();
  await using limiters = await startReplicatedLimiters();
  const { key, folders } = await prepareNodes(directory.path, NODES.length);
  await using databases = await startReplicatedDatabases();
  await using nodes = await startNodes(folders, limiters.urls, key, databases.flags);
  const { port, sockets } = nodes;

  const startedMs = performance.now();
  const phases: Phase[] = [];
  const begin = (name: string) => phases.push({ name, fromMs: performance.now() });
  const [killings, unreadable]: [Moment[], Moment[]] = [[], []];
  let sharedUntil = 0;
  let away: readonly Reply[] = [];
  let returned: readonly Reply[] = [];

  const open = startClient(port, OPEN);
  const staged = startClient(port, STAGED, (n) => checkOf({ url: `http://example.com/${n}` }, '/api/check-url/stream'));
  const hidden = startClient(port, HIDDEN, (n) => checkOf({ url: `http://hidden.example/${n}`, private_mode: true }));
  const reader = startClient(port, READER, (n) => ({
    path: ['/api/history', '/api/stats', '/api/history?domain=example.com'][n % 3] ?? '',
  }));
  const greedy = startClient(port, GREEDY, publicCheck(GREEDY));
  {
    await using clients = new AsyncDisposableStack();
    for (const client of [open, staged, hidden, reader, greedy]) clients.use(client);
    const more = async (count: number) => {
      const due = [open, staged, hidden, greedy].map(({ replies }) => ({ replies, length: replies.length + count }));
      await until(() => due.every(({ replies, length }) => replies.length >= length));
    };
    begin('all is well');
    await more(100);
    const faults = faultsOf({
      nodes,
      databases,
      limiters,
      refused: `${directory.path}/exchanged`,
      desk: `${directory.path}/desk`,
      key,
      onKilled: (moment) => killings.push(moment),
      async whileLimiterHangs() {
        sharedUntil = greedy.replies.length;
        const pausedMs = performance.now();
        limiters.pause();
        away = await askOften(port, AWAY, 6 * LIMIT);
        await Bun.sleep(Math.max(0, REDIS_AWAY_MS - (performance.now() - pausedMs)));
        limiters.resume();
        await nodes.untilAll(isWell);
        returned = await askOften(port, RETURNED, 3 * LIMIT);
      },
    });
    for (const [n, { name, isWithoutDatabase, strike }] of faults.entries()) {
      await Bun.sleep(Math.max(0, startedMs + (n + 1) * FAULT_EVERY_MS - performance.now()));
      begin(name);
      const fromMs = performance.now();
      await strike();
      await more(5);
      if (isWithoutDatabase) unreadable.push({ fromMs, untilMs: performance.now() + READ_PATIENCE_MS });
    }
    begin('all is well but for former primaries, in which nobody writes');
    await nodes.untilAll((notices) => isWell(notices) && notices.length === 2);
    await Bun.sleep(Math.max(0, startedMs + (faults.length + 1) * FAULT_EVERY_MS - performance.now()));
  }
  const endedMs = performance.now();
  // A node follows within a second of the time at which its database answers again.
  const listed: CheckResult[] = [];
  await untilSeen('the list on each node', async () => {
    const results = await Promise.all(sockets.map((socket) => checkAt(socket, BLOCKED_HOST)));
    listed.push(...results);
    return results.every(({ decision }) => decision === 'block');
  });
  const shown = await Promise.all(sockets.map(historyAt));
  for (const node of NODES) expect(await nodes.stop(node)).toBe(0);
  const all = [open, staged, hidden, reader, greedy].flatMap(({ replies }) => replies).concat(away, returned);
  process.stdout.write(`\n${fleetTable(phases, all, endedMs)}`);

  // Nobody is failed but those whose connection was cut with the node; what the proxy says to them has no id of ours.
  const isAmong = (moments: readonly Moment[], { sentMs, endedMs }: Reply) =>
    moments.some(({ fromMs, untilMs }) => sentMs <= untilMs && fromMs <= endedMs);
  // Nobody reads while the only database is unavailable: a read waits up to ten seconds for it, as long as a node that stops.
  const isUnread = (reply: Reply) =>
    reply.kind === 'answered' && [502, 503].includes(reply.status) && isAmong(unreadable, reply);
  const unread = new Set(reader.replies.filter(isUnread));
  const failed = all.filter((reply) => isFailed(reply) && !unread.has(reply));
  expect(failed.filter((reply) => !isAmong(killings, reply))).toEqual([]);
  expect(failed.filter((reply) => reply.kind === 'answered' && reply.requestId !== null)).toEqual([]);
  expect(staged.replies.filter(isAdmitted).filter(({ body }) => !body.includes('event: result'))).toEqual([]);

  // What was answered is in its log once, is counted once, and is shown by every node.
  const answered = [open, staged, greedy].flatMap(({ replies }) => idsOf(replies)).concat(idsOf(away), idsOf(returned));
  answered.push(...listed.map((result) => result.request_id));
  const kept = await databases.kept('public');
  expectOnce(answered, kept, failed.length);
  const secret = await databases.kept('private');
  expectOnce(idsOf(hidden.replies), secret, failed.length);
  expect(kept.filter((id) => secret.includes(id))).toEqual([]);
  expect(await databases.counted()).toBe(kept.length);
  for (const ids of shown) expect(ids.toSorted()).toEqual(kept.toSorted());

  // One limit over all nodes through restarts, the kill and the failover; at each node one while the Redis is away.
  const watch = createLimitWatch();
  const lifeOf = nodes.lifeOf();
  const note = (client: string, replies: readonly Reply[]) => {
    for (const reply of replies) watch.note(client, 0, reply);
  };
  // A node that was started anew, and has not heard of a client since, begins to count it when it is alone.
  const noteByNode = (client: string, replies: readonly Reply[]) => {
    for (const reply of replies.filter(isAdmitted)) {
      watch.note(`${client} at a node`, lifeOf.get(reply.kind === 'answered' ? reply.requestId : null) ?? -1, reply);
    }
  };
  note(GREEDY, greedy.replies.slice(0, sharedUntil));
  noteByNode(GREEDY, greedy.replies);
  noteByNode(AWAY, away);
  note(RETURNED, returned);
  expect(watch.judge()).toEqual([]);
  // A limit that refuses everybody would hold as well.
  for (const replies of [greedy.replies, away, returned]) {
    expect(idsOf(replies).length).toBeGreaterThanOrEqual(LIMIT - failed.length);
  }
});

/** Each that was answered, once; beside them at most what was cut before it could be answered. */
function expectOnce(answered: readonly string[], kept: readonly string[], cut: number): void {
  const ids = new Set(kept);
  expect(ids.size).toBe(kept.length);
  expect(answered.filter((id) => !ids.has(id))).toEqual([]);
  expect(kept.length).toBeLessThanOrEqual(answered.length + cut);
}

/** What a node itself says of a site. */
async function checkAt(unix: string, host: string): Promise<CheckResult> {
  const body = JSON.stringify({ url: `http://${host}/` });
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': OPEN };
  const answer = await fetch('http://localhost/api/check-url', { unix, method: 'POST', headers, body });
  return parseAs(CheckResultSchema, await answer.json());
}

/** The whole history as a node shows it, page by page. */
async function historyAt(unix: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? '' : `&cursor=${cursor}`;
    const page = await fetch(`http://localhost/api/history?limit=500${after}`, { unix });
    const { items, next_cursor } = parseAs(HistoryPageSchema, await page.json());
    ids.push(...items.map((item) => item.request_id));
    cursor = next_cursor;
  } while (cursor !== null);
  return ids;
}
