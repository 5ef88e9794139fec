import { cpus, totalmem } from 'node:os';
import type { Static } from '@sinclair/typebox';
import type { MachineSchema } from './report.ts';

/** What this machine is. */
export function thisMachine(): Static<typeof MachineSchema> {
  const processors = cpus();
  return {
    cores: processors.length,
    processor: processors[0]?.model ?? 'unknown',
    memoryGib: totalmem() / 2 ** 30,
    runtime: `Bun ${Bun.version}`,
  };
}

/** Which commit is checked out here, and whether what the executable is made from differs from it. */
export async function checkedOut(root: string): Promise<{ commit: string; isChanged: boolean }> {
  const git = Bun.$.cwd(root);
  const commit = (await git`git rev-parse --short=10 HEAD`.text()).trim();
  const changes = await git`git status --porcelain -- src drizzle bun.lock`.text();
  return { commit, isChanged: changes !== '' };
}
