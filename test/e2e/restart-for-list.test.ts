import { expect, test } from 'bun:test';
import { executable } from '#test/support/executable.ts';

const OPTION = 'BUN_JSC_maximumFunctionForCallInlineCandidateBytecodeCostForFTL';

/** Starts `check -`, and returns its environment once it has answered its first line. */
async function environmentOf(env: Record<string, string>): Promise<string[]> {
  const command = [await executable(), 'check', '--network', 'none', '--format', 'tsv', '-'];
  const child = Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe', env });
  child.stdin.write('https://example.com/\n');
  child.stdin.flush();
  const { value } = await child.stdout.getReader().read();
  const environment = await Bun.file(`/proc/${child.pid}/environ`).text();
  child.stdin.end();
  expect(Buffer.from(value ?? []).toString()).toStartWith('https://example.com/\t');
  expect([await child.exited, await child.stderr.text()]).toEqual([0, '']);
  return environment.split('\0').filter((variable) => variable !== '');
}

test('check - restarts as the same process with another policy for the compiler, and loses no line', async () => {
  expect(await environmentOf({ LURECHECK_BASE_RATE: '0.04' })).toEqual(['LURECHECK_BASE_RATE=0.04', `${OPTION}=60`]);
});

test('check - keeps the policy that the operator set', async () => {
  expect(await environmentOf({ [OPTION]: '2000' })).toEqual([`${OPTION}=2000`]);
});
