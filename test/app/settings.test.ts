import { expect, test } from 'bun:test';
import { SETTINGS } from '#src/app/config.ts';
import { PART_SETTINGS } from '#src/app/parts/part-basis.ts';
import { PROGRAM_SETTINGS } from '#src/app/settings.ts';
import { CHECK_SETTINGS } from '#src/checks/check/settings.ts';
import { STORE_SETTINGS } from '#src/checks/store/settings.ts';
import { type SettingTable, setting } from '#src/core/base/settings/setting.ts';
import { numberBetween } from '#src/core/base/settings/setting-kind.ts';
import { readSettings } from '#src/core/base/settings/setting-reader.ts';
import { ASSESS_SETTINGS, CAMPAIGN_SETTINGS } from '#src/engine/assess/settings.ts';
import { MESSAGE_SETTINGS } from '#src/engine/mail-verdict/settings.ts';
import { serveCommand } from '#src/interfaces/cli/commands/serve.ts';
import { describeCommand, describeSettings } from '#src/interfaces/cli/help.ts';
import { EGRESS_SETTINGS } from '#src/network/egress/settings.ts';
import { HTML_SETTINGS } from '#src/network/html/settings.ts';
import { LIST_SETTINGS, LIST_SOURCE_SETTINGS } from '#src/network/lists/settings.ts';
import { PROBE_SETTINGS } from '#src/network/probes/settings.ts';
import { REGISTRY_SETTINGS } from '#src/network/registry/settings.ts';
import { SERVER_SETTINGS } from '#src/service/server/settings.ts';
import { REFERENCE, withSettings } from '../../.ci/readme.ts';

const TABLES = [
  ...[
    ASSESS_SETTINGS,
    CAMPAIGN_SETTINGS,
    CHECK_SETTINGS,
    EGRESS_SETTINGS,
    HTML_SETTINGS,
    LIST_SETTINGS,
    LIST_SOURCE_SETTINGS,
  ],
  ...[
    PROBE_SETTINGS,
    PROGRAM_SETTINGS,
    REGISTRY_SETTINGS,
    SERVER_SETTINGS,
    STORE_SETTINGS,
    MESSAGE_SETTINGS,
    ...PART_SETTINGS.flatMap(({ tables }) => Object.values<SettingTable>(tables)),
  ],
];

test('each setting is in the table of exactly one room', () => {
  const keys = TABLES.flatMap((table) => Object.keys(table));
  expect(keys.toSorted()).toEqual(Object.keys(SETTINGS).toSorted());
});

test('the default of a setting is written and read back unchanged', () => {
  for (const [key, { kind, default: value }] of Object.entries<SettingTable[string]>(SETTINGS)) {
    const written = kind.write(value);
    // What is not set, or an empty list, has no spelling.
    const isSpelt = value !== null && !(Array.isArray(value) && value.length === 0);
    if (isSpelt) expect([key, kind.read([written])]).toEqual([key, value]);
  }
});

test('a new setting with kind, unit, default and meaning is one row', async () => {
  const table = { ...SETTINGS, nap_seconds: setting(['check'], numberBetween(0, 60), 5, 'Seconds of a nap.') };

  const sources = { flags: { 'nap-seconds': ['7'] }, environment: {}, file: null };
  // The type of the value follows from the row.
  const seconds: number = readSettings(table, sources).values.nap_seconds;
  expect(seconds).toBe(7);
  expect(() => readSettings(table, { ...sources, flags: { 'nap-second': ['7'] } })).toThrow('nap_seconds');

  const reference = await Bun.file(REFERENCE).text();
  expect(withSettings(reference, table)).toContain(
    '| `nap_seconds` | `5` | a number between 0 and 60 |  | Seconds of a nap. |',
  );
  expect(describeSettings(table)).toMatch(/--nap-seconds +Seconds of a nap\. A number between 0 and 60\. Default: 5\./);
  expect(describeCommand(serveCommand, table)).not.toContain('--nap-seconds');
});
