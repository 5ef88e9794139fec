import { expect, test } from 'bun:test';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { openLog } from './open-log.ts';
import { expectSound } from './sound.ts';

const CHILD = `${import.meta.dir}/append-child.ts`;
const ROUNDS = 12;

/** Starts the child, kills it once it has accepted `checks` checks, and gives back what it said it accepted. */
async function killAfter(checks: number, directory: string): Promise<string[]> {
  const child = Bun.spawn([process.execPath, CHILD, directory, 'serve'], { stdout: 'pipe', stderr: 'inherit' });
  let output = '';
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    output += decoder.decode(chunk, { stream: true });
    if (!child.killed && output.split('\n').length > checks) child.kill('SIGKILL');
  }
  await child.exited;
  return output.split('\n').slice(0, -1);
}

test('a server killed under load loses no accepted check', async () => {
  await using directory = temporaryDirectory();
  const accepted: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const lines = await killAfter(1 + round * 23, directory.path);
    expect(lines.length).toBeGreaterThan(round * 23);
    accepted.push(...lines);
    await using log = await openLog(directory.path, { access: 'read' });
    for (const line of lines) {
      const [visibility, id = ''] = line.split(' ');
      expect((await log.find(visibility === 'private' ? 'private' : 'public', id))?.result.request_id).toBe(id);
    }
  }
  await using log = await openLog(directory.path);
  const missing = [];
  for (const line of accepted) {
    const [visibility, id = ''] = line.split(' ');
    if ((await log.find(visibility === 'private' ? 'private' : 'public', id)) === null) missing.push(line);
  }
  expect(missing).toEqual([]);
  expect(log.notices()).toEqual([]);
  for (const visibility of ['public', 'private']) expectSound(`${directory.path}/${visibility}.sqlite`);
});

test('a server killed while it creates its files starts again', async () => {
  await using directory = temporaryDirectory();
  for (let delayMs = 0; delayMs < 150; delayMs += 10) {
    const child = Bun.spawn([process.execPath, CHILD, directory.path, 'serve'], {
      stdout: 'ignore',
      stderr: 'inherit',
    });
    await Promise.race([child.exited, Bun.sleep(delayMs)]);
    child.kill('SIGKILL');
    await child.exited;
  }
  await using log = await openLog(directory.path);
  for (const visibility of ['public', 'private']) expectSound(`${directory.path}/${visibility}.sqlite`);
  expect((await log.stats()).days).toHaveLength(30);
  expect(log.notices()).toEqual([]);
});

test('several processes that start and write concurrently all succeed', async () => {
  await using directory = temporaryDirectory();
  const children = ['serve', 'append', 'append', 'append'].map((access) =>
    Bun.spawn([process.execPath, CHILD, directory.path, access, '200'], { stdout: 'pipe', stderr: 'inherit' }),
  );
  const outputs = await Promise.all(children.map((child) => new Response(child.stdout).text()));
  expect(await Promise.all(children.map((child) => child.exited))).toEqual([0, 0, 0, 0]);
  expect(outputs.map((output) => output.split('\n').length - 1)).toEqual([200, 200, 200, 200]);
  for (const visibility of ['public', 'private']) expectSound(`${directory.path}/${visibility}.sqlite`);
  await using log = await openLog(directory.path);
  expect(log.notices()).toEqual([]);
});
