import { expect, test } from 'bun:test';
import { cpSync, existsSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { PAGE_BYTES } from '#src/checks/store/file/create-log.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { createLogger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { breakRoot } from './break-root.ts';
import { filesOf } from './files-of.ts';
import { holdCheckpoints } from './hold-checkpoints.ts';
import { openLog } from './open-log.ts';

const CHILD = `${import.meta.dir}/append-child.ts`;
const START_MS = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;

const moment = (minutes: number) => new Date(START_MS + minutes * MINUTE_MS).toISOString();

/** One check a minute in both logs, from one minute to another. */
async function fill(log: ScanLog, from: number, until: number): Promise<void> {
  for (let minute = from; minute < until; minute++) {
    const atMs = START_MS + minute * MINUTE_MS;
    await Promise.all([log.append(sampleRecord({ atMs })), log.append(sampleRecord({ atMs, visibility: 'private' }))]);
  }
}

/** A directory in which a server ended well after an hour of checks. */
async function anHour(): Promise<ReturnType<typeof temporaryDirectory>> {
  const directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  await fill(log, 0, 60);
  return directory;
}

/** What the next start tells, twice, to the operator and to everybody. */
async function told(dataDir: string): Promise<{ messages: readonly string[]; inPublic: readonly string[] }> {
  {
    await using log = await openLog(dataDir);
    await log.append(sampleRecord());
    await log.examine('public');
  }
  await using log = await openLog(dataDir);
  const { problem, notices } = await log.health();
  expect(problem).toBeNull();
  return { messages: log.notices(), inPublic: notices.map(({ text }) => text) };
}

const ALL = `About 60 checks from between ${moment(0)} and ${moment(59)} are missing.`;

test.each([
  ['removed', 'had been removed and was recreated', ALL, (path: string) => rmSync(path)],
  ['emptied', 'had been emptied and was recreated', ALL, (path: string) => truncateSync(path)],
] as const)('reports a log that was %s, with the checks that are missing', async (_, happened, missing, harm) => {
  await using directory = await anHour();
  harm(`${directory.path}/public.sqlite`);
  const { messages, inPublic } = await told(directory.path);
  expect(messages).toHaveLength(1);
  expect(messages[0]).toStartWith(`public.sqlite ${happened}. ${missing}`);
  expect(inPublic).toEqual([`The public log is not complete. ${missing}`]);
});

test("reports another host's file at the path of a log", async () => {
  await using directory = await anHour();
  await using elsewhere = await anHour();
  cpSync(`${elsewhere.path}/public.sqlite`, `${directory.path}/public.sqlite`);
  const { messages } = await told(directory.path);
  expect(messages).toEqual([expect.stringContaining(`public.sqlite was replaced by another file. ${ALL}`)]);
});

test('reports an older copy at the path of a log, with the missing checks', async () => {
  await using directory = await anHour();
  {
    await using log = await openLog(directory.path);
    log.backUp('public', `${directory.path}/copy`);
    await fill(log, 60, 90);
  }
  renameSync(`${directory.path}/copy`, `${directory.path}/public.sqlite`);
  const { messages, inPublic } = await told(directory.path);
  const missing = `About 30 checks from between ${moment(59)} and ${moment(89)} are missing.`;
  expect(messages).toEqual([expect.stringContaining(`public.sqlite ends too early`)]);
  expect(messages[0]).toContain(missing);
  expect(inPublic).toEqual([`The public log is not complete. ${missing}`]);
});

test('public notices state only that the private log is incomplete', async () => {
  await using directory = await anHour();
  rmSync(`${directory.path}/private.sqlite`);
  const { messages, inPublic } = await told(directory.path);
  expect(messages).toEqual([expect.stringContaining(`private.sqlite had been removed and was recreated. ${ALL}`)]);
  expect(inPublic).toEqual(['The private log is not complete.']);
});

/** A directory in which a server was killed, and the checks that it had acknowledged, most of them in the write-ahead log. */
async function killedServer(): Promise<ReturnType<typeof temporaryDirectory> & { readonly acknowledged: string[] }> {
  const directory = temporaryDirectory();
  const child = Bun.spawn([process.execPath, CHILD, directory.path], { stdout: 'pipe', stderr: 'inherit' });
  using held = new DisposableStack();
  let output = '';
  for await (const chunk of child.stdout) {
    if (output === '') held.use(holdCheckpoints(`${directory.path}/public.sqlite`));
    output += Buffer.from(chunk).toString();
    if (!child.killed && output.split('\n').length > 200) child.kill('SIGKILL');
  }
  await child.exited;
  return { ...directory, acknowledged: output.split('\n').slice(0, -1) };
}

async function missing(log: ScanLog, acknowledged: readonly string[], visibility: Visibility): Promise<number> {
  const own = acknowledged.filter((line) => line.startsWith(visibility));
  const found = await Promise.all(own.map((line) => log.find(visibility, line.split(' ')[1] ?? '')));
  return found.filter((entry) => entry === null).length;
}

test('reports a write-ahead log that was lost after a kill', async () => {
  await using directory = await killedServer();
  rmSync(`${directory.path}/public.sqlite-wal`);
  await using log = await openLog(directory.path);
  const lost = await missing(log, directory.acknowledged, 'public');
  expect(lost).toBeGreaterThan(0);
  const [message = '', ...others] = log.notices();
  expect(others).toEqual([]);
  expect(message).toStartWith('public.sqlite ends too early: its write-ahead log was lost');
  const [, count, from = '', until = ''] =
    /About (\d+) checks from between (\S+) and (\S+) are missing/.exec(message) ?? [];
  expect(Number(count)).toBeGreaterThanOrEqual(lost);
  // What was committed and not yet acknowledged when the kill came.
  expect(Number(count)).toBeLessThanOrEqual(lost + 20);
  expect(Date.parse(from)).toBeLessThanOrEqual(Date.parse(until));
  expect(await missing(log, directory.acknowledged, 'private')).toBe(0);
});

test('reports nothing after a kill without a loss', async () => {
  await using directory = await killedServer();
  await using log = await openLog(directory.path);
  expect([log.notices(), await missing(log, directory.acknowledged, 'public')]).toEqual([[], 0]);
});

test('a reader reports a loss without storing the notice', async () => {
  await using directory = await killedServer();
  rmSync(`${directory.path}/public.sqlite-wal`);
  const names = () => readdirSync(directory.path).filter((name) => /notice|ledger/.test(name));
  const before = [names(), filesOf(directory.path).get('public.ledger')];
  {
    await using log = await openLog(directory.path, { access: 'read' });
    expect(log.notices()).toEqual([expect.stringMatching(/^public\.sqlite ends too early: .* are missing\.$/)]);
  }
  expect([names(), filesOf(directory.path).get('public.ledger')]).toEqual(before);
  await using log = await openLog(directory.path);
  expect(log.notices()).toHaveLength(1);
});

test('logs a notice at each start until its file is removed', async () => {
  await using directory = await anHour();
  rmSync(`${directory.path}/public.sqlite`);
  const lines: string[] = [];
  const logger = createLogger('error', (line) => lines.push(line));
  for (let start = 0; start < 3; start++) {
    await using log = await openLog(directory.path, { logger });
    await log.append(sampleRecord());
  }
  const events = lines.map((line) => JSON.parse(line));
  expect(events.map(({ event }) => event)).toEqual(['log.incomplete', 'log.incomplete', 'log.incomplete']);
  const [, place = ''] = / Remove (\S+) once/.exec(events[0].message) ?? [];
  rmSync(place);
  await using log = await openLog(directory.path, { logger });
  expect([log.notices(), (await log.health()).notices, lines.length]).toEqual([[], [], 3]);
});

test('does not report purged checks as missing', async () => {
  await using directory = await anHour();
  {
    await using log = await openLog(directory.path);
    expect(await log.purge('public', START_MS + 30 * MINUTE_MS)).toBe(30);
    expect(await log.purge('private', START_MS + 99 * MINUTE_MS)).toBe(60);
  }
  const { messages } = await told(directory.path);
  expect(messages).toEqual([]);
});

test('does not report checks of a killed purge as missing', async () => {
  await using directory = await anHour();
  const ledger = `${directory.path}/public.ledger`;
  {
    await using log = await openLog(directory.path);
    const purged = log.purge('public', START_MS + 99 * MINUTE_MS);
    const isWhole = async () => (await Array.fromAsync(log.read('public', EVERY_CHECK))).length === 60;
    while (await isWhole()) await new Promise(setImmediate);
    cpSync(ledger, `${ledger}.during`);
    await purged;
  }
  renameSync(`${ledger}.during`, ledger);
  const { messages } = await told(directory.path);
  expect(messages).toEqual([]);
});

test.each(['', '{"madeAtMs":', 'null', '[]', '{"madeAtMs":"x","newest":{"id":5}}'])(
  'a ledger without valid content (%p) is ignored',
  async (text) => {
    await using directory = await anHour();
    writeFileSync(`${directory.path}/public.ledger`, text);
    const { messages } = await told(directory.path);
    expect(messages).toEqual([]);
  },
);

test('preserves a write-ahead log without its file, and applies it to no other', async () => {
  await using directory = await killedServer();
  rmSync(`${directory.path}/public.sqlite`);
  // A server that runs could have it open: a command beside it touches nothing.
  await expect(openLog(directory.path, { access: 'append' })).rejects.toMatchObject({ code: 'damaged' });
  await using log = await openLog(directory.path);
  await log.examine('public');
  // What had not been moved into the file is copied back.
  expect(await missing(log, directory.acknowledged, 'public')).toBeLessThan(directory.acknowledged.length);
  const [, kept = ''] = /was set aside as (\S+)\. \d+ checks copied back\./.exec(log.notices()[0] ?? '') ?? [];
  expect(existsSync(`${kept}-wal`)).toBe(true);
});

test.each([
  ['emptied', (path: string) => truncateSync(path), 0],
  ['removed', (path: string) => rmSync(path), undefined],
] as const)('a reader reports a log that was %s, and leaves it unchanged', async (happened, harm, bytes) => {
  await using directory = await anHour();
  harm(`${directory.path}/public.sqlite`);
  await expect(openLog(directory.path, { access: 'read' })).rejects.toMatchObject({
    code: 'damaged',
    message: expect.stringContaining(`public.sqlite was ${happened}. Restore a backup`),
  });
  expect(filesOf(directory.path).get('public.sqlite')?.length).toBe(bytes);
});

test('reports damage that a reader finds, with the name of the file', async () => {
  await using directory = await anHour();
  breakRoot(`${directory.path}/private.sqlite`, 'checks_by_decision');
  await using log = await openLog(directory.path, { access: 'read' });
  await expect(Array.fromAsync(log.read('private', EVERY_CHECK))).rejects.toThrow(
    `${directory.path}/private.sqlite is damaged.`,
  );
  expect(await Array.fromAsync(log.read('public', EVERY_CHECK))).toHaveLength(60);
});

/** Overwrites all pages from the third on: the second only says what the others are. */
function scratch(path: string): void {
  const bytes = Buffer.from(Bun.spawnSync(['cat', path]).stdout);
  bytes.fill(0xff, 2 * PAGE_BYTES);
  writeFileSync(path, bytes);
}

test('a start quarantines a file damaged in the middle, and reports what is missing', async () => {
  await using directory = await anHour();
  scratch(`${directory.path}/public.sqlite`);
  await expect(openLog(directory.path, { access: 'read' })).rejects.toMatchObject({
    message: `${directory.path}/public.sqlite is damaged. Start lurecheck serve, or let it run: it sets the file aside and copies its readable checks into a new one.`,
  });
  const { messages, inPublic } = await told(directory.path);
  expect(messages).toEqual([expect.stringContaining('0 checks copied back. About 60 checks are missing.')]);
  expect(inPublic).toEqual(['The public log is not complete. About 60 checks are missing.']);
  const [, kept = ''] = /set aside as (\S+)\. 0/.exec(messages[0] ?? '') ?? [];
  expect(existsSync(kept)).toBe(true);
});

test('restoring a backup over damage clears the notice', async () => {
  await using directory = await anHour();
  const path = `${directory.path}/public.sqlite`;
  cpSync(path, `${path}.copy`);
  {
    await using log = await openLog(directory.path);
    await fill(log, 60, 61);
  }
  breakRoot(path, 'checks_by_decision');
  {
    await using log = await openLog(directory.path, { access: 'append' });
    await expect(log.append(sampleRecord())).rejects.toMatchObject({ code: 'log_unavailable' });
    expect(log.notices()).toEqual([expect.stringContaining('public.sqlite is damaged. lurecheck serve sets it aside')]);
  }
  renameSync(`${path}.copy`, path);
  const { messages } = await told(directory.path);
  expect(messages).toEqual([expect.stringContaining('About 1 check from between')]);
});
