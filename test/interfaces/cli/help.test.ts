import { expect, test } from 'bun:test';
import { FIRST_SETTINGS, readConfig, SETTING_GROUPS, SETTINGS } from '#src/app/config.ts';
import { settableIn } from '#src/core/base/settings/setting.ts';
import { flagOf } from '#src/core/base/settings/setting-reader.ts';
import { checkCommand } from '#src/interfaces/cli/commands/check.ts';
import { versionCommand } from '#src/interfaces/cli/commands/program/version.ts';
import { serveCommand } from '#src/interfaces/cli/commands/serve.ts';
import { EXIT_CODES } from '#src/interfaces/cli/exit-codes.ts';
import { COMMON_OPTIONS } from '#src/interfaces/cli/flags.ts';
import {
  describeCommand,
  describeCommands,
  describeFirst,
  describeSetting,
  describeSettings,
} from '#src/interfaces/cli/help.ts';
import { allCommands, COMMAND_GROUPS, COMMANDS, FIRST_COMMANDS } from '#src/interfaces/cli/registry.ts';

const flagsIn = (help: string) =>
  [...help.matchAll(/^ {2}(?:-\w, )?--(?:\[no-\])?([a-z-]+)/gm)].map(([, flag]) => flag ?? '');

test('help fits one screen of 24 lines of 80 characters', () => {
  const lines = describeFirst().trimEnd().split('\n');
  // The prompt takes one.
  expect(lines.length).toBeLessThanOrEqual(23);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  const names = FIRST_COMMANDS.map(([name]) => name);
  expect(names).toEqual([
    ...['serve', 'check', 'log', 'lists', 'key', 'backup', 'upgrade', 'doctor', 'service', 'help'],
  ]);
  expect(names.filter((name) => name !== 'help' && !Object.hasOwn(COMMANDS, name))).toEqual([]);
});

test('help of serve shows fifteen settings, help settings shows all', () => {
  const settings = flagsIn(describeSettings());
  expect(settings.toSorted()).toEqual(Object.keys(settableIn(SETTINGS)).map(flagOf).toSorted());
  const shown = flagsIn(describeCommand(serveCommand)).filter((flag) => settings.includes(flag));
  expect(shown.toSorted()).toEqual(FIRST_SETTINGS.map(flagOf).toSorted());
  expect(shown).toHaveLength(15);
  expect(describeCommand(serveCommand)).toMatch(/\n\d+ more settings: lurecheck help settings\n/);
});

test('help of a command lists exactly the usual settings whose rows name the command', async () => {
  const everywhere = Object.keys(COMMON_OPTIONS);
  const logCommand = (await COMMANDS['log']?.()) ?? versionCommand;
  for (const command of [checkCommand, logCommand, serveCommand, versionCommand]) {
    const own = Object.keys(command.options);
    const settings = Object.entries(SETTINGS).filter(([, row]) => row.for.some((name) => name === command.name));
    const config = settings.length > 0 ? ['config'] : [];
    const usual = settings.map(([key]) => key).filter((key) => FIRST_SETTINGS.some((one) => one === key));
    const expected = [...own, ...config, ...everywhere, ...usual.map(flagOf)];
    expect(flagsIn(describeCommand(command)).toSorted()).toEqual(expected.toSorted());
  }
  expect(flagsIn(describeCommand(checkCommand))).not.toContain('rate-limit');
});

test('help shows values as they are written, with their defaults', () => {
  const help = describeCommand(serveCommand).replaceAll(/\s+/g, ' ');
  expect(help).toContain('One of full, dns, none. Default: full.');
  expect(help).toContain('0 disables the limit. A whole number from 0. Reloadable. Default: 20.');
  expect(help).not.toMatch(/`|Full|True|Suffix=/);
});

test('help marks a setting as reloadable for the service, and not for other commands', () => {
  expect(describeCommand(serveCommand)).toContain('Reloadable. Default: 20.');
  expect(describeCommand(checkCommand)).not.toContain('Reloadable. ');
});

test('every command is in help once, in its group', async () => {
  const names = COMMAND_GROUPS.flatMap(([, names]) => names);
  expect(names.filter((name) => name !== 'help')).toEqual(Object.keys(COMMANDS));
  const help = describeCommands(await allCommands());
  for (const [need, names] of COMMAND_GROUPS) {
    const [, below = ''] = help.split(`\n${need}:\n`);
    const [group = ''] = below.split('\n\n');
    expect([...group.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name)).toEqual([...names]);
  }
});

test('help of each command shows two examples, the exit codes, and no line that is too long', async () => {
  for (const command of await allCommands()) {
    const help = describeCommand(command);
    expect(command.examples.length).toBeGreaterThanOrEqual(2);
    for (const { line } of command.examples) {
      expect(line).toMatch(/(^|<\()lurecheck( |$)/);
      expect(help).toContain(`  ${line}\n`);
    }
    for (const { code, meaning } of EXIT_CODES) expect(help).toContain(`  ${String(code).padEnd(3)}  ${meaning}`);
    expect(help.split('\n').filter((line) => line.length > 130)).toEqual([]);
  }
});

test('every setting is in one group of help', () => {
  const keys = SETTING_GROUPS.flatMap(([, table]) => Object.keys(table));
  expect(keys).toEqual(Object.keys(SETTINGS));
});

test('help lists at most 75 settings, those that most services set first, and explains each other one by its name', () => {
  const help = describeSettings();
  const listed = flagsIn(help);
  expect(listed.length).toBeLessThanOrEqual(75);
  expect(listed.slice(0, 15)).toEqual(FIRST_SETTINGS.map(flagOf));
  const tuned = Object.entries(SETTINGS).filter(([, row]) => 'isTuning' in row);
  expect(tuned.length).toBeGreaterThan(20);
  for (const [key, row] of tuned) {
    expect(help.replaceAll(/\s+/g, ' ')).toContain(key);
    expect(describeSetting(flagOf(key))?.replaceAll(/\s+/g, ' ')).toContain(row.description.replaceAll(/\s+/g, ' '));
  }
  expect([describeSetting('rate_limit') !== null, describeSetting('toString'), describeSetting('chekc')]).toEqual([
    ...[true, null, null],
  ]);
});

test('a setting for tuning works as before in the file, the environment and as a flag', () => {
  const read = (flags: Record<string, string[]>, environment = {}) => readConfig({ flags, environment, file: null });
  expect(read({ 'rate-limit-keys': ['7'] }).values.rate_limit_keys).toBe(7);
  const { values, notices } = read({}, { LURECHECK_COMMIT_INTERVAL_MS: '9' });
  expect([values.commit_interval_ms, notices]).toEqual([9, []]);
});
