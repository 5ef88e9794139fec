import { expect, test } from 'bun:test';
import { SETTING_GROUPS, SETTINGS } from '#src/app/config.ts';
import { PART_SETTINGS } from '#src/app/parts/part-basis.ts';
import { ALL_PARTS } from '#src/app/parts.ts';
import type { SettingTable } from '#src/core/base/settings/setting.ts';
import { ALL_COMMANDS } from '#src/interfaces/cli/registry.ts';

test('the settings of each part are read, under headings that help has', () => {
  const own = ALL_PARTS.flatMap(({ settings }) => settings ?? []);
  expect(new Set(own)).toEqual(new Set(PART_SETTINGS));
  const needs = SETTING_GROUPS.map(([need]) => need);
  expect(PART_SETTINGS.flatMap(({ tables }) => Object.keys(tables)).filter((need) => !needs.includes(need))).toEqual(
    [],
  );
  expect(SETTING_GROUPS.filter(([, table]) => Object.keys(table).length === 0)).toEqual([]);
});

test('each command that a setting is for exists, under its own name', async () => {
  const named = Object.values<SettingTable[string]>(SETTINGS).flatMap((row) => row.for);
  expect([...new Set(named)].filter((name) => !Object.hasOwn(ALL_COMMANDS, name))).toEqual([]);
  const commands = Object.entries(ALL_COMMANDS).map(async ([name, load]) => [name, (await load()).name]);
  for (const [name, own] of await Promise.all(commands)) expect(own).toBe(name ?? '');
});
