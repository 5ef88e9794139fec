import type { ConfiguredCommand } from '#src/app/config.ts';
import type { Command } from './command.ts';

type Loaders = Readonly<Record<string, () => Promise<Command>>>;

/** Each sub-command, loaded when it is asked for: `version` should not wait for the engine. What a setting is for must be here. */
export const COMMANDS: Loaders & { readonly [Name in ConfiguredCommand]: () => Promise<Command<Name>> } = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  config: async () => (await import('./commands/config.ts')).configCommand,
  database: async () => (await import('./commands/database.ts')).databaseCommand,
  nodes: async () => (await import('./commands/nodes.ts')).nodesCommand,
  spool: async () => (await import('./commands/spool.ts')).spoolCommand,
  key: async () => (await import('./commands/key.ts')).keyCommand,
  audit: async () => (await import('./commands/audit.ts')).auditCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  upgrade: async () => (await import('./commands/upgrade.ts')).upgradeCommand,
  service: async () => (await import('./commands/service.ts')).serviceCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  selftest: async () => (await import('./commands/program/selftest.ts')).selftestCommand,
  healthcheck: async () => (await import('./commands/healthcheck.ts')).healthcheckCommand,
  openapi: async () => (await import('./commands/program/openapi.ts')).openapiCommand,
  check: async () => (await import('./commands/check.ts')).checkCommand,
  log: async () => (await import('./commands/log.ts')).logCommand,
  history: async () => (await import('./commands/history.ts')).historyCommand,
  rescore: async () => (await import('./commands/rescore.ts')).rescoreCommand,
  feedback: async () => (await import('./commands/feedback.ts')).feedbackCommand,
  lists: async () => (await import('./commands/lists.ts')).listsCommand,
  brand: async () => (await import('./commands/brand.ts')).brandCommand,
  gate: async () => (await import('./commands/gate.ts')).gateCommand,
  licenses: async () => (await import('./commands/program/licenses.ts')).licensesCommand,
  sbom: async () => (await import('./commands/program/sbom.ts')).sbomCommand,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  train: async () => (await import('./commands/train.ts')).trainCommand,
  evaluate: async () => (await import('./commands/evaluate.ts')).evaluateCommand,
  model: async () => (await import('./commands/model.ts')).modelCommand,
  pack: async () => (await import('./commands/pack.ts')).packCommand,
  completions: async () => (await import('./commands/program/completions.ts')).completionsCommand,
  man: async () => (await import('./commands/program/man.ts')).manCommand,
  about: async () => (await import('./commands/program/about.ts')).aboutCommand,
  version: async () => (await import('./commands/program/version.ts')).versionCommand,
};

/** The commands by what they are needed for, in the order of help. */
export const COMMAND_GROUPS: readonly (readonly [need: string, names: readonly string[]])[] = [
  [
    'Run a service',
    [
      'serve',
      'config',
      'database',
      'nodes',
      'spool',
      'key',
      'audit',
      'backup',
      'upgrade',
      'service',
      'doctor',
      'selftest',
      'healthcheck',
      'openapi',
    ],
  ],
  ['Check links', ['check', 'log', 'history', 'rescore', 'feedback', 'lists', 'brand', 'gate']],
  ['Verify the executable', ['licenses', 'sbom', 'verify']],
  ['Train and select models', ['train', 'evaluate', 'model']],
  ['Update air-gapped hosts', ['pack']],
  ['Help', ['completions', 'man', 'about', 'version', 'help']],
];

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

/** Loads every command. */
export async function allCommands(): Promise<Command[]> {
  return await Promise.all(Object.values(COMMANDS).map((load) => load()));
}
