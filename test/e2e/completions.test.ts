import { expect, test } from 'bun:test';
import { lurecheck } from '#test/support/executable.ts';

/** What bash offers where the cursor stands behind the last of these words. */
async function offered(...words: string[]): Promise<string[]> {
  const { stdout: script } = await lurecheck(['completions', 'bash']);
  const lines = `${script}\nCOMP_WORDS=("$@") COMP_CWORD=$(($# - 1))\n_lurecheck\nprintf '%s\\n' "\${COMPREPLY[@]}"\n`;
  const child = Bun.spawn(['bash', '-c', lines, 'bash', ...words], { stdout: 'pipe', env: {}, cwd: import.meta.dir });
  return (await child.stdout.text()).split('\n').filter((line) => line !== '');
}

test('bash completes commands, flags, values, actions and files', async () => {
  expect(await offered('lurecheck', 'che')).toEqual(['check']);
  expect(await offered('lurecheck', 'help', 'ver')).toEqual(['verify', 'version']);
  expect(await offered('lurecheck', 'check', '--form')).toEqual(['--format']);
  expect(await offered('lurecheck', 'serve', '--no-pub')).toEqual(['--no-public-history']);
  expect(await offered('lurecheck', 'check', '--format', '')).toEqual(['text', 'json', 'ndjson', 'tsv']);
  expect(await offered('lurecheck', 'check', '--network', 'd')).toEqual(['dns']);
  expect(await offered('lurecheck', 'brand', '')).toEqual(['add', 'remove', 'list', 'test']);
  expect(await offered('lurecheck', 'completions', 'f')).toEqual(['fish']);
  expect(await offered('lurecheck', 'check', '--html', 'completions.te')).toEqual(['completions.test.ts']);
  expect(await offered('lurecheck', 'log', '--domain', '')).toEqual([]);
});

test('every completion script and the manual page contain every command', async () => {
  const { stdout: help } = await lurecheck(['help', '--all']);
  const commands = [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name ?? '').slice(0, -1);
  expect(commands.length).toBeGreaterThan(10);
  for (const args of [['completions', 'bash'], ['completions', 'zsh'], ['completions', 'fish'], ['man']]) {
    const { stdout, exitCode } = await lurecheck(args);
    expect(exitCode).toBe(0);
    const words = new Set(stdout.match(/[a-z]+/g));
    expect(commands.filter((name) => name !== 'lurecheck' && !words.has(name))).toEqual([]);
  }
});
