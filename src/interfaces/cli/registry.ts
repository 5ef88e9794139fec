import { ALL_PARTS, PROVIDED } from '#src/app/parts.ts';
import type { Command } from './command.ts';
import { commandParts, MERGED } from './merged-commands.ts';

type Loaders = Readonly<Record<string, () => Promise<Command>>>;

/** Each listed command of the core, loaded when it is asked for: `version` should not wait for the engine. */
const CORE_COMMANDS = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  config: async () => (await import('./commands/config.ts')).configCommand,
  key: async () => (await import('./commands/key.ts')).keyCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  check: async () => (await import('./commands/check.ts')).checkCommand,
  log: async () => (await import('./commands/log.ts')).logCommand((await PROVIDED.logExport())()),
  about: async () => (await import('./commands/program/about.ts')).aboutCommand,
  version: async () => (await import('./commands/program/version.ts')).versionCommand,
} as const satisfies Loaders;

/** Commands that are parts of a listed one, see `merged-commands.ts`. Their own names stay as aliases, which help does not list. */
const FORMER = {
  selftest: async () => (await import('./commands/program/selftest.ts')).selftestCommand,
  history: async () => (await import('./commands/history.ts')).historyCommand,
  licenses: async () => (await import('./commands/program/licenses.ts')).licensesCommand,
  sbom: async () => (await import('./commands/program/sbom.ts')).sbomCommand,
  openapi: async () => (await import('./commands/program/openapi.ts')).openapiCommand,
  man: async () => (await import('./commands/program/man.ts')).manCommand,
  completions: async () => (await import('./commands/program/completions.ts')).completionsCommand,
} as const satisfies Loaders;

/** The commands by what they are needed for, in the order of help. */
export const COMMAND_GROUPS: readonly (readonly [need: string, names: readonly string[]])[] = [
  ['Run a service', ['serve', 'config', 'nodes', 'key', 'audit', 'backup', 'upgrade', 'service', 'doctor']],
  ['Check links', ['check', 'log', 'rescore', 'feedback', 'lists', 'brand', 'gate']],
  ['Models, and updates of air-gapped hosts', ['model', 'pack']],
  ['Help, and what this executable is', ['verify', 'about', 'version', 'help']],
];

const LOADERS: Loaders = Object.assign({}, CORE_COMMANDS, FORMER, ...ALL_PARTS.map(({ commands }) => commands));

const LISTED = COMMAND_GROUPS.flatMap(([, names]) => names);

/** Each listed command, in the order of help. */
export const COMMANDS: Loaders = Object.fromEntries(
  LISTED.flatMap((name) => (LOADERS[name] ? [[name, LOADERS[name]]] : [])),
);

const MERGED_NAMES = Object.keys(MERGED).flatMap((name) => commandParts(name).map(([, command]) => command));

/** Every command by its own name, the listed ones first, then those that are parts of another. */
export const ALL_COMMANDS: Loaders = {
  ...COMMANDS,
  ...Object.fromEntries(MERGED_NAMES.flatMap((name) => (LOADERS[name] ? [[name, LOADERS[name]]] : []))),
};

/** The commands of an ordinary day, in the order of the first page of help. */
export const FIRST_COMMANDS: readonly (readonly [name: string, about: string])[] = [
  ['serve', 'Start the service: web page and HTTP API'],
  ['check', 'Check links, mails and saved pages without a service'],
  ['log', 'Read, follow and export the log of checks'],
  ['lists', 'Manage lists of what to block and allow'],
  ['key', 'Create, list and revoke API keys'],
  ['backup', 'Create, verify, list and restore backups'],
  ['upgrade', 'Install a release, or roll back to the previous one'],
  ['doctor', 'Examine what a service needs, and name remedies'],
  ['service', 'Install, show and remove the system service'],
  ['help', 'Explain a command, the settings or a topic'],
];

/** Loads every command, the listed ones first. */
export async function allCommands(): Promise<Command[]> {
  return await Promise.all(Object.values(ALL_COMMANDS).map((load) => load()));
}
