import type { ConfiguredCommand } from '#src/program/config.ts';
import type { Command } from './command.ts';

type Loaders = Readonly<Record<string, () => Promise<Command>>>;

/** Each sub-command, loaded when it is asked for: `version` should not wait for the engine. What a setting is for must be here. */
export const COMMANDS: Loaders & { readonly [Name in ConfiguredCommand]: () => Promise<Command<Name>> } = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  check: async () => (await import('./commands/check.ts')).checkCommand,
  log: async () => (await import('./commands/log.ts')).logCommand,
  brand: async () => (await import('./commands/brand.ts')).brandCommand,
  config: async () => (await import('./commands/config.ts')).configCommand,
  train: async () => (await import('./commands/train.ts')).trainCommand,
  evaluate: async () => (await import('./commands/evaluate.ts')).evaluateCommand,
  openapi: async () => (await import('./commands/openapi.ts')).openapiCommand,
  healthcheck: async () => (await import('./commands/healthcheck.ts')).healthcheckCommand,
  licenses: async () => (await import('./commands/licenses.ts')).licensesCommand,
  sbom: async () => (await import('./commands/sbom.ts')).sbomCommand,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  completions: async () => (await import('./commands/completions.ts')).completionsCommand,
  man: async () => (await import('./commands/man.ts')).manCommand,
  version: async () => (await import('./commands/version.ts')).versionCommand,
};

/** All of them, for what tells of the whole. */
export async function allCommands(): Promise<Command[]> {
  return await Promise.all(Object.values(COMMANDS).map((load) => load()));
}
