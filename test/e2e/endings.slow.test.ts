import { describe, expect, test } from 'bun:test';
import { openSync } from 'node:fs';
import { executable, lurecheck } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { onTerminal } from '#test/support/terminal.ts';

const CHECK = ['check', '--network', 'none'];
const URL = 'http://example.com/';

/** `yes`: a line for ever, to whoever reads it. */
async function* forever(line: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(`${line}\n`.repeat(100));
  for (;;) yield bytes;
}

/** A check of lines without end; what it answers is read from `stdout`. */
async function checkForever(...flags: string[]) {
  return Bun.spawn([await executable(), ...CHECK, ...flags, '-'], {
    stdin: new Response(forever(URL)),
    stdout: 'pipe',
    stderr: 'pipe',
    env: {},
  });
}

/** Starts a command whose output goes to `/dev/full`, which takes nothing. */
async function intoFullDisk(args: readonly string[]) {
  const child = Bun.spawn([await executable(), ...args], {
    stdin: 'ignore',
    stdout: openSync('/dev/full', 'w'),
    stderr: 'pipe',
    env: {},
  });
  return { stderr: await child.stderr.text(), exitCode: await child.exited };
}

describe('a command ends immediately on a signal', () => {
  test.each([
    ['SIGINT', 130, 'the first line', 0],
    ['SIGTERM', 143, 'the first line', 0],
    ['SIGHUP', 129, 'the first line', 0],
    ['SIGTERM', 143, 'so many that threads are at work', 400_000],
  ] as const)(
    '%s, with exit code %i, after %s, and its output consists of complete lines',
    async (signal, code, _, characters) => {
      const child = await checkForever('--format', 'tsv');
      const decoder = new TextDecoder();
      let written = '';
      for await (const chunk of child.stdout) {
        if (written.length <= characters && written.length + chunk.length > characters) child.kill(signal);
        written += decoder.decode(chunk, { stream: true });
      }
      expect(await child.exited).toBe(code);
      expect(child.signalCode).toBe(signal);
      expect(written).toEndWith('\tallow\n');
      expect(await child.stderr.text()).toBe('');
    },
  );

  test('SIGTERM while it waits for input', async () => {
    const child = Bun.spawn([await executable(), ...CHECK, '-'], { stdin: 'pipe', stdout: 'pipe', env: {} });
    child.stdin.write(`${URL}\n`);
    child.stdin.flush();
    for await (const _chunk of child.stdout) child.kill('SIGTERM');
    expect(await child.exited).toBe(143);
  });

  test('Ctrl+C on a terminal', async () => {
    using terminal = await onTerminal([...CHECK, '-']);
    terminal.type(`${URL}\n`);
    await terminal.until('ALLOW');
    terminal.type('\u0003');
    expect(await terminal.exited).toBe(130);
  });

  test('the service exits with 0 after it has closed', async () => {
    await using directory = temporaryDirectory();
    using terminal = await onTerminal([
      'serve',
      '--listen',
      '127.0.0.1:0',
      '--network',
      'none',
      '--data-dir',
      directory.path,
    ]);
    await terminal.until('server.listening');
    terminal.type('\u0003');
    expect(await terminal.exited).toBe(0);
  });
});

test.each(['text', 'json', 'ndjson', 'tsv'])(
  'an endless check ends silently if the reader of its %s output closes the pipe',
  async (format) => {
    const child = await checkForever('--format', format);
    const reader = child.stdout.getReader();
    await reader.read();
    await reader.cancel();
    expect(await child.exited).toBe(141);
    expect(await child.stderr.text()).toBe('');
  },
);

test.each([
  [...CHECK, '--format', 'text', URL],
  [...CHECK, '--format', 'json', URL],
  [...CHECK, '--format', 'ndjson', URL],
  [...CHECK, '--format', 'tsv', URL],
  ['help'],
  ['help', 'check'],
  ['version'],
  ['licenses'],
  ['openapi'],
])('reports a full disk and fails: %s %s %s %s', async (...args) => {
  expect(await intoFullDisk(args)).toEqual({
    stderr: 'lurecheck: cannot write the output: the disk is full\n',
    exitCode: 1,
  });
});

test('a slow reader causes no warning', async () => {
  const child = await checkForever('--format', 'ndjson');
  const reader = child.stdout.getReader();
  for (let chunk = 0; chunk < 30; chunk++) await reader.read();
  await reader.cancel();
  await child.exited;
  expect(await child.stderr.text()).toBe('');
});

test('a check completes if stderr cannot be written', async () => {
  const child = Bun.spawn([await executable(), ...CHECK, '--format', 'tsv', URL], {
    stdout: 'pipe',
    stderr: openSync('/dev/full', 'w'),
    env: {},
  });
  expect(await child.stdout.text()).toContain('\tallow\n');
  expect(await child.exited).toBe(0);
});

test('wrong usage of check is reported once, in one line', async () => {
  for (const args of [['check'], ['check', '--html', '/nope', URL], ['check', '--input', 'ndjson', URL]]) {
    const { exitCode, stdout, stderr } = await lurecheck(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^lurecheck: [^\n]+\nSee: lurecheck help check\n$/);
  }
});

test.each([
  [{ TERM: 'xterm' }, true],
  [{ TERM: 'dumb' }, false],
  [{ TERM: 'xterm', NO_COLOR: '1' }, false],
] as const)('colours on a terminal with %p: %p', async (environment, isColoured) => {
  using terminal = await onTerminal([...CHECK, URL], environment);
  expect(await terminal.exited).toBe(0);
  await terminal.until('example.com');
  expect(terminal.shown().includes('\u001b[')).toBe(isColoured);
});

test('reports standard input that cannot be read', async () => {
  const child = Bun.spawn([await executable(), ...CHECK, '-'], {
    stdin: openSync('/', 'r'),
    stdout: 'pipe',
    stderr: 'pipe',
    env: {},
  });
  expect(await child.stderr.text()).toStartWith('lurecheck: standard input is a folder\n');
  expect(await child.exited).toBe(2);
});
