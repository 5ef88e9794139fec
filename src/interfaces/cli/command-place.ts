import type { ActPlace } from '#src/admin/audit/act.ts';

/** Returns the place of the acts of a command; `runOnData` brings its changes to the fleet. */
export function commandPlace({ config }: { readonly config: { readonly data_dir: string } }): ActPlace {
  return { dataDir: config.data_dir, change: (_, work) => work() };
}
