import { expect, test } from 'bun:test';
import { run } from '#src/interfaces/cli/index.ts';
import { isListed, MERGED, writtenName } from '#src/interfaces/cli/merged-commands.ts';
import { ALL_COMMANDS, COMMANDS } from '#src/interfaces/cli/registry.ts';

/** Runs a command line in this process; its code and what it printed. */
async function ran(line: string) {
  const printed: string[] = [];
  const write = async (text: string | Uint8Array) => void printed.push(String(text));
  const output = { write, isTerminal: false, columns: 80 };
  const code = await run(line.split(' '), {
    ...{ stdin: (async function* () {})(), stdout: output, stderr: output, environment: {} },
    serve: () => new AbortController().signal,
    beforeExit: () => ({ [Symbol.dispose]: () => {} }),
  });
  return { code, printed: printed.join('') };
}

test('help lists at most 24 commands, of which every other one is a part', () => {
  expect(Object.keys(COMMANDS).length + 1).toBeLessThanOrEqual(24);
  expect(Object.keys(ALL_COMMANDS).filter((name) => isListed(name))).toEqual(Object.keys(COMMANDS));
  const targets = Object.values(MERGED).flatMap((parts) => Object.values(parts).map(([command = '']) => command));
  expect(targets.filter((name) => !Object.hasOwn(ALL_COMMANDS, name))).toEqual([]);
});

test.each([
  ['doctor selftest --server nowhere', 'selftest --server nowhere'],
  ['log delete', 'history delete'],
  ['log -q deletions more', 'history deletions -q more'],
  ['model train', 'train'],
  ['nodes spool list x', 'spool list x'],
  ['fleet nodes remove', 'nodes remove'],
  ['fleet database migrate', 'database migrate'],
  ['about man', 'man'],
  ['about completions fish', 'completions fish'],
  ['help doctor selftest', 'help selftest'],
  ['about sbom --help', 'sbom --help'],
])('%s is %s', async (written, former) => {
  expect(await ran(written)).toEqual(await ran(former));
});

test('the value of an option is no part of a command', async () => {
  expect((await ran('log --domain delete --data-dir /nowhere')).printed).toContain('No log at');
});

test.each([
  ['selftest', 'doctor selftest'],
  ['history', 'log'],
  ['spool', 'nodes spool'],
  ['check', 'check'],
])('help of %s shows how it is written: %s', async (name, written) => {
  expect(writtenName(name)).toBe(written);
  expect((await ran(`help ${name}`)).printed).toMatch(new RegExp(`^Usage: lurecheck ${name}\\b`));
  expect((await ran(`help ${name}`)).printed).toMatch(new RegExp(`^(Usage|   or): lurecheck ${written}\\b`, 'm'));
});
