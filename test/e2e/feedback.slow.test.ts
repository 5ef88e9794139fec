import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openFeedback } from '#src/checks/store/feedback/feedback-queue.ts';
import { lurecheck } from '#test/support/executable.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';

const MISSED = 'https://www.example.org/parcel?id=7';

/** A box that people give feedback to. */
async function box() {
  const directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const service = await startService(dataDir, ['--feedback-limit', '0']);
  const feedback = (...args: string[]) => lurecheck(['feedback', ...args, '--data-dir', dataDir]);
  const listed = async (): Promise<Record<string, unknown>[]> =>
    JSON.parse((await feedback('list', '--state', 'all', '--format', 'json')).stdout);
  return {
    dataDir,
    service,
    feedback,
    listed,
    give: (body: object) => give(service, body),
    /** Waits until there is so much. */
    seen: (count: number) => untilSeen(`feedback ${count} times`, async () => (await listed()).length === count),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

async function give(service: Service, body: object): Promise<readonly [number, string]> {
  const response = await fetch(`${service.url}/api/feedback`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return [response.status, await response.text()];
}

test('feedback on a missed link is shown to the operator only, and blocks the link once accepted', async () => {
  await using own = await box();
  const { service, feedback, listed, seen } = own;
  const { request_id, decision, malicious_probability } = await service.result(MISSED);
  expect(decision).toBe('allow');
  expect(readdirSync(own.dataDir)).not.toContain('feedback.sqlite');
  const comment = 'It asked for my PIN \u001b[31m\u202e at https://example.org/in?token=0f9c2b7e4d5a6180';
  await own.give({ request_id, verdict: 'malicious', comment });
  await seen(1);
  expect(await listed()).toEqual([
    expect.objectContaining({
      ...{ id: 1, verdict: 'malicious', url: MISSED, request_id, decision, malicious_probability, state: 'waiting' },
      comment: 'It asked for my PIN \u001b[31m\u202e at https://example.org/in?token=***',
    }),
  ]);
  const { stdout } = await feedback('list');
  expect(stdout).toContain(`malicious  ${MISSED}  was allow, 0.0 %  client `);
  expect(stdout).toContain('    “It asked for my PIN \\x1b[31m\\u{202e} at https://example.org/in?token=***”\n');
  expect(stdout).toEndWith('1 waiting, 0 accepted, 0 rejected\n');
  // By itself it changes nothing.
  expect((await service.result(MISSED)).decision).toBe('allow');
  expect(JSON.stringify(await service.history())).not.toContain('PIN');
  expect(statSync(join(own.dataDir, 'feedback.sqlite')).mode & 0o777).toBe(0o600);
  const accepted = await feedback('accept', '1', '--expires', '2099-12-31');
  expect([accepted.exitCode, accepted.stdout]).toEqual([
    0,
    '1: https://www.example.org/parcel added to the list feedback until 2099-12-31\n',
  ]);
  await untilSeen('the new list', async () => (await service.result(MISSED)).decision === 'block');
  const again = await feedback('accept', '1');
  expect([again.exitCode, again.stderr]).toEqual([1, 'lurecheck: 1: already accepted\n']);
});

test('accepted feedback on a false alarm allows the entry that the operator names', async () => {
  await using own = await box();
  const alarm = 'http://paypal-login.verify-account-secure.cyou/signin/index.php';
  await own.give({ url: alarm, verdict: 'benign' });
  await own.seen(1);
  const { exitCode, stdout } = await own.feedback('accept', '1', '--entry', 'verify-account-secure.cyou');
  expect([exitCode, stdout]).toMatchObject([0, expect.stringContaining('added to the list feedback-allow until 2')]);
  await untilSeen('the new list', async () => (await own.service.result(alarm)).decision === 'allow');
});

test('an entry that covers many sites is held back, and the feedback remains waiting', async () => {
  await using own = await box();
  await own.give({ url: 'https://github.io/', verdict: 'malicious' });
  await own.seen(1);
  const { exitCode, stderr } = await own.feedback('accept', '1');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('is held back (')]);
  expect(await own.listed()).toMatchObject([{ state: 'waiting' }]);
  expect((await own.feedback('reject', '1')).stdout).toBe('1: rejected\n');
  expect(await own.listed()).toMatchObject([{ state: 'rejected' }]);
});

test('the answer to feedback is always the same, and private checks and invalid URLs are not stored', async () => {
  await using own = await box();
  const secret = 'https://private-bank.example/very-secret';
  const hidden = await own.service.result(secret, true);
  const known = await own.service.result(MISSED);
  const answers = [
    await own.give({ request_id: hidden.request_id, verdict: 'benign' }),
    await own.give({ request_id: '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b', verdict: 'benign' }),
    await own.give({ request_id: 'nonsense', url: 'javascript:alert(1)', verdict: 'benign' }),
    await own.give({ request_id: known.request_id, verdict: 'benign' }),
    await own.give({ request_id: known.request_id, verdict: 'benign' }),
  ];
  expect(new Set(answers.map((answer) => answer.join(' ')))).toEqual(new Set(['202 {"received":true}']));
  await own.seen(1);
  expect(await own.listed()).toMatchObject([{ request_id: known.request_id }]);
  await own.service.stop();
  expect(await own.listed()).toHaveLength(1);
  for (const name of readdirSync(own.dataDir)) {
    if (name.startsWith('private.') || statSync(join(own.dataDir, name)).isDirectory()) continue;
    expect(readFileSync(join(own.dataDir, name), 'latin1')).not.toContain('private-bank');
  }
});

test('feedback is stored without addresses, passwords and secrets, and history delete deletes it', async () => {
  await using own = await box();
  await own.give({ url: 'https://bob:hunter2hunter2@shop.example/in?token=0f9c2b7e4d5a6180#x', verdict: 'malicious' });
  await own.seen(1);
  expect(await own.listed()).toMatchObject([{ url: 'https://bob:***@shop.example/in?token=***' }]);
  const file = readFileSync(join(own.dataDir, 'feedback.sqlite'), 'latin1');
  for (const word of ['127.0.0.1', 'hunter2', '0f9c2b7e']) expect(file).not.toContain(word);
  const run = ['history', 'delete', '--domain', 'shop.example', '--yes', '--data-dir', own.dataDir];
  const { exitCode, stderr } = await lurecheck(run);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('also deleted 1 feedback on them')]);
  expect(await own.listed()).toEqual([]);
  expect(readFileSync(join(own.dataDir, 'feedback.sqlite'), 'latin1')).not.toContain('shop.example');
});

test('doctor reports a correction after enough accepted feedback, and a setting applies it', async () => {
  await using directory = temporaryDirectory();
  const run = async (command: string, ...args: string[]) =>
    (await lurecheck([command, ...args, '--network', 'none', '--data-dir', directory.path])).stdout;
  const base = async (...args: string[]) =>
    JSON.parse(await run('check', MISSED, '--format', 'json', ...args)).analysis_details;
  const { model_version: modelVersion, base_log_odds: before } = await base();
  expect(await run('doctor')).toContain('No feedback yet.');
  {
    using queue = openFeedback({ dataDir: directory.path, now: () => Date.now() });
    for (let at = 1; at <= 30; at++) {
      const [host, decision, probability] = [`${at}.example`, 'allow', 0.02] as const;
      const about = { url: `https://${host}/`, host, decision, probability, modelVersion };
      const said = { verdict: 'malicious', comment: '', clientHash: Buffer.alloc(32), receivedAtMs: at } as const;
      queue.take({ ...about, ...said });
      if (at < 30) queue.settle(at, 'accepted', null);
    }
  }
  const found = await run('doctor');
  expect(found).toContain('Waiting feedback: 1.');
  expect(found).toContain('29 malicious, 0 benign; calibration requires 30.');
  {
    using queue = openFeedback({ dataDir: directory.path, now: () => Date.now() });
    queue.settle(30, 'accepted', null);
  }
  expect(await run('doctor')).toContain('shifts the log-odds of every check by +0.50, which is not applied.');
  expect((await base()).base_log_odds).toBe(before);
  expect((await base('--feedback-calibration')).base_log_odds).toBeCloseTo(before + 0.5, 9);
  expect(await run('doctor', '--feedback-calibration')).toContain('by +0.50, which is applied.');
});

test.each([
  [[], 2, 'expected feedback list, feedback accept ID or feedback reject ID'],
  [['accept'], 2, 'feedback accept requires ids'],
  [['reject', 'x'], 2, '"x" is not a feedback id'],
  [['list', '1'], 2, 'feedback list takes no id'],
  [['accept', '1', '2', '--entry', 'a.example'], 2, '--entry requires exactly one id'],
  [['accept', '1', '--expires', '2020-01-01'], 2, '--expires must be a future day'],
  [['reject', '1'], 1, '1: feedback not found'],
])('feedback %j is rejected with the reason', async (args, code, sentence) => {
  await using directory = temporaryDirectory();
  const { exitCode, stderr } = await lurecheck(['feedback', ...args, '--data-dir', directory.path]);
  expect([exitCode, stderr]).toEqual([code, expect.stringContaining(sentence)]);
});
