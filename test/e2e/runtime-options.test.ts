import { describe, expect, test } from 'bun:test';
import { OF_SERVICE } from '#src/interfaces/cli/runtime-options.ts';
import { executable } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import openrc from '../../.ci/packaging/lurecheck.openrc' with { type: 'text' };
import unit from '../../.ci/packaging/lurecheck.service' with { type: 'text' };

const INLINED = 'BUN_JSC_maximumFunctionForCallInlineCandidateBytecodeCostForFTL';

/** Starts `check -`, and returns its environment once it has answered its first line. */
async function environmentOf(env: Record<string, string>): Promise<string[]> {
  const command = [await executable(), 'check', '--network', 'none', '--format', 'tsv', '-'];
  const child = Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe', env });
  child.stdin.write('https://example.com/\n');
  child.stdin.flush();
  const { value } = await child.stdout.getReader().read();
  const environment = await variablesOf(child.pid);
  child.stdin.end();
  expect(Buffer.from(value ?? []).toString()).toStartWith('https://example.com/\t');
  expect([await child.exited, await child.stderr.text()]).toEqual([0, '']);
  return environment;
}

async function variablesOf(pid: number): Promise<string[]> {
  const environment = await Bun.file(`/proc/${pid}/environ`).text();
  return environment.split('\0').filter((variable) => variable !== '');
}

describe('check - restarts as the same process', () => {
  test('with other options of the compiler, and loses no line', async () => {
    const environment = await environmentOf({ LURECHECK_BASE_RATE: '0.04' });
    expect(environment.toSorted()).toEqual([`${INLINED}=60`, 'LURECHECK_BASE_RATE=0.04']);
  });

  test('with what the operator set', async () => {
    expect(await environmentOf({ [INLINED]: '2000' })).toEqual([`${INLINED}=2000`]);
  });
});

describe('check - answers without a restart', () => {
  /** Checks a link by a command, with a file as its fourth descriptor. */
  async function answerOf(command: string[], file: string | null = null) {
    const stdio = [
      new Blob(['https://example.com/\n']),
      'pipe',
      'pipe',
      file === null ? null : Bun.file(file),
    ] as const;
    const child = Bun.spawn(command, { stdio: [...stdio], env: {} });
    return [await child.stdout.text(), await child.stderr.text(), await child.exited];
  }

  const command = async () => [await executable(), 'check', '--network', 'none', '--format', 'tsv', '-'];
  const ANSWERED = [expect.stringMatching(/^https:\/\/example\.com\/\t/), '', 0];

  test.each(['--config /dev/fd/3', '--config=/proc/self/fd/3'])('with a file of a shell: %s', async (flags) => {
    await using directory = temporaryDirectory();
    const config = `${directory.path}/lurecheck.toml`;
    await Bun.write(config, 'base_rate = 0.04\n');
    expect(await answerOf([...(await command()), ...flags.split(' ')], config)).toEqual(ANSWERED);
  });

  test('as an operand of the loader of the system', async () => {
    const beginning = await Bun.file(await executable()).bytes();
    const text = Buffer.from(beginning.subarray(0, 4096)).toString('latin1');
    const [loader = ''] = /\/lib[\w/.-]*\/ld-[\w.-]+/.exec(text) ?? [];
    expect(await answerOf([loader, ...(await command())])).toEqual(ANSWERED);
  });
});

test('serve restarts with what the operator left unset, as the same process', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path, [], { [INLINED]: '2000' });
  const expected = Object.entries({ ...OF_SERVICE, [INLINED]: '2000' }).map(([name, value]) => `${name}=${value}`);
  expect((await variablesOf(service.pid)).toSorted()).toEqual(expected.toSorted());
});

test.each([
  ['systemd', unit, /^Environment=((?:BUN|MIMALLOC)_[^=\s]+)=(\S+)$/gm],
  ['OpenRC', openrc, /^\texport ((?:BUN|MIMALLOC)_[^=\s]+)=(\S+)$/gm],
])('a service of %s has all options from the start', (_, text, lines) => {
  const options = [...text.matchAll(lines)].map(([, name, value]) => [name, value]);
  expect(Object.fromEntries(options)).toEqual(OF_SERVICE);
});
