import { readNamedFile } from '#src/base/named-file.ts';
import { variableOf } from '#src/base/setting-environment.ts';
import { readSettingFile } from '#src/base/setting-file.ts';
import { type Config, readConfig } from '#src/program/config.ts';
import type { Arguments } from './arguments.ts';
import type { ColourChoice } from './colour.ts';
import { type Command, choice, type Invocation } from './command.ts';
import { COMMON_OPTIONS, hasSettings, optionsOf } from './flags.ts';
import type { Io } from './io.ts';

/** What an invocation happens in. */
interface Surroundings extends Pick<Invocation, 'allCommands'> {
  readonly io: Io;
}

/**
 * What a command is asked for, its settings out of all their sources included.
 *
 * @throws SettingsError for wrong settings; UsageError for a wrong `--color`.
 */
export async function parseInvocation(
  command: Command,
  given: Arguments,
  { io, allCommands }: Surroundings,
): Promise<Invocation<Config>> {
  const { positionals, values } = given;
  const texts = (name: string): readonly string[] => values.get(name) ?? [];
  const text = (name: string) => texts(name).at(-1);
  const own = { ...optionsOf(command), ...COMMON_OPTIONS };
  const settingFlags = Object.fromEntries([...values].filter(([name]) => !Object.hasOwn(own, name)));
  const path = text('config') ?? io.environment[variableOf('config')];
  const readAgain = async () => {
    const file = path === undefined ? null : await readSettingFile(path, await readNamedFile('config', path));
    return readConfig({ flags: settingFlags, environment: io.environment, file });
  };
  // To say its version, the program need not be well configured.
  const settings = hasSettings(command.name) ? await readAgain() : DEFAULT_SETTINGS;
  return {
    positionals,
    config: settings.values,
    settings,
    readAgain,
    allCommands,
    text,
    texts,
    color: colourIn(values),
    isQuiet: texts('quiet').length > 0,
    flag: (option) => texts(option).length > 0,
  };
}

/** What was said of colours. Throws UsageError for another word. */
export function colourIn(values: Arguments['values']): ColourChoice | undefined {
  return choice({ text: (name) => values.get(name)?.at(-1) }, 'color', COMMON_OPTIONS.color.words);
}

const DEFAULT_SETTINGS = readConfig({ flags: {}, environment: {}, file: null });
