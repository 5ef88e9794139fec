import { expect, test } from 'bun:test';
import { flagOf } from '#src/base/setting-reader.ts';
import { checkCommand } from '#src/cli/commands/check.ts';
import { logCommand } from '#src/cli/commands/log.ts';
import { serveCommand } from '#src/cli/commands/serve.ts';
import { versionCommand } from '#src/cli/commands/version.ts';
import { describeCommand } from '#src/cli/help.ts';
import { SETTINGS } from '#src/program/config.ts';

const flagsIn = (help: string) => [...help.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, flag]) => flag ?? '');

test('help of a command lists the settings whose rows name it, and no other', () => {
  for (const command of [checkCommand, logCommand, serveCommand, versionCommand]) {
    const own = Object.keys(command.options);
    const settings = Object.entries(SETTINGS).filter(([, row]) => row.for.some((name) => name === command.name));
    const config = settings.length > 0 ? ['config'] : [];
    expect(flagsIn(describeCommand(command))).toEqual([...own, ...config, ...settings.map(([key]) => flagOf(key))]);
  }
  expect(flagsIn(describeCommand(checkCommand))).not.toContain('rate-limit');
});

test('help shows values as they are written, and defaults', () => {
  const help = describeCommand(serveCommand);
  expect(help).toContain('One of full, dns, none. Default: full.');
  expect(help).toContain('0 switches the limit off. A whole number from 0. Default: 20.');
  expect(help).not.toMatch(/`|Full|True|Suffix=/);
});
