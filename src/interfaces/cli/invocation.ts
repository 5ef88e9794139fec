import { type Config, readConfig } from '#src/app/config.ts';
import { currentActor } from '#src/core/base/actor.ts';
import { findInstallation, INSTALLED_DATA_DIR } from '#src/core/base/files/installation.ts';
import { readNamedFile } from '#src/core/base/files/named-file.ts';
import type { Io } from '#src/core/base/io.ts';
import { flagOf, readSettingFile } from '#src/core/base/settings/setting-reader.ts';
import { variableOf } from '#src/core/base/settings/setting-source.ts';
import type { Arguments } from './arguments.ts';
import type { ColourChoice } from './colour.ts';
import { choice, type Grammar, type Invocation } from './command.ts';
import { COMMON_OPTIONS, hasSettings, optionsOf } from './flags.ts';

/** Context of an invocation. */
interface InvocationContext extends Pick<Invocation, 'allCommands'> {
  readonly io: Io;
}

/**
 * Parses an invocation, including its settings from all sources.
 *
 * @throws OperationError for invalid settings; UsageError for an invalid `--color`
 */
export async function parseInvocation(
  command: Grammar,
  given: Arguments,
  { io, allCommands }: InvocationContext,
): Promise<Invocation<Config>> {
  const { positionals, values } = given;
  const texts = (name: string): readonly string[] => values.get(name) ?? [];
  const text = (name: string) => texts(name).at(-1);
  const own = { ...optionsOf(command), ...COMMON_OPTIONS };
  const settingFlags = Object.fromEntries([...values].filter(([name]) => !Object.hasOwn(own, name)));
  const isPlaced = LOCATION_SETTINGS.some(
    (key) => values.has(flagOf(key)) || io.environment[variableOf(key)] !== undefined,
  );
  const installation = isPlaced || !hasSettings(command.name) ? null : findInstallation();
  const path = text('config') ?? io.environment[variableOf('config')] ?? installation?.config ?? undefined;
  const environment = { ...installation?.environment, ...io.environment };
  const reload = async () => {
    const file = path === undefined ? null : await readSettingFile(path, await readNamedFile('config', path));
    const reading = readConfig({ flags: settingFlags, environment, file });
    if (installation === null || reading.origins.data_dir.source !== 'default') return reading;
    return readConfig({ flags: { ...settingFlags, 'data-dir': [INSTALLED_DATA_DIR] }, environment, file });
  };
  const isQuiet = texts('quiet').length > 0;
  // To say its version, the program need not be well configured.
  const settings = hasSettings(command.name) ? await reload() : DEFAULT_SETTINGS;
  if (installation !== null && !isQuiet)
    await io.stderr.write(
      `lurecheck: using the installation${path === undefined ? '' : ` configured in ${path}`}, data in ${settings.values.data_dir}\n`,
    );
  for (const notice of isQuiet ? [] : settings.notices) await io.stderr.write(`lurecheck: ${notice}\n`);
  return {
    positionals,
    config: settings.values,
    settings,
    reload,
    allCommands,
    text,
    texts,
    color: colourIn(values),
    isQuiet,
    flag: (option) => texts(option).length > 0,
    actor: currentActor(io.environment),
    resolvePath: (named) => named,
  };
}

/** Returns the colour option. Throws UsageError for another word. */
export function colourIn(values: Arguments['values']): ColourChoice | undefined {
  return choice({ text: (name) => values.get(name)?.at(-1) }, 'color', COMMON_OPTIONS.color.words);
}

/** Settings of the location of the data: if one is set, the installation is not searched. */
const LOCATION_SETTINGS = ['config', 'data_dir'] as const;

const DEFAULT_SETTINGS = readConfig({ flags: {}, environment: {}, file: null });
