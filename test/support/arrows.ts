/** Imports of parts that the core still has, as `FILE imports SPECIFIER`. This list only shrinks. */
export const ARROWS: readonly string[] = [
  'interfaces/cli/commands/log.ts imports #src/parts/export/command/export-log.ts',
  'interfaces/cli/commands/log.ts imports #src/parts/export/export-format.ts',
  'interfaces/cli/commands/log.ts imports #src/parts/export/ndjson.ts',
];
