import { mkdirSync } from 'node:fs';
import { executable } from '#test/support/executable.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { PUBLIC } from '#test/support/place.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { runInNamespace } from '../system/namespace.ts';
import { OWN_BLOCKS } from './addresses.ts';
import { type SoakFigures, SoakFiguresSchema } from './figures.ts';
import { soakSites, WORLD } from './sites.ts';

/** Room for the logs of a minute, and for what they need to begin with. */
const DISK_MIB_A_MINUTE = 16;
const DISK_MIB = 128;
/** What a run may take beyond its minutes, on the busiest of machines. */
const SPARE_MS = 180_000;

/** A soak, in namespaces of its own: whatever it leaves behind goes away with them. */
export async function runSoak(minutes: number, seed: number, isWatched: boolean): Promise<SoakFigures> {
  await executable();
  await using directory = temporaryDirectory();
  const disk = `${directory.path}/disk`;
  const scratch = `${directory.path}/scratch`;
  for (const path of [disk, scratch]) mkdirSync(path);
  const diskMib = DISK_MIB + Math.ceil(minutes * DISK_MIB_A_MINUTE);
  const sites = Object.keys(soakSites(Date.now())).map((_, index) => WORLD.siteAddress(index));
  const printed = await runInNamespace('../soak/inside.ts', {
    addresses: [PUBLIC.resolver, WORLD.resolver, WORLD.registry, ...sites],
    commands: [...OWN_BLOCKS, `mount -t tmpfs -o size=${diskMib}m,mode=700 none ${disk}`],
    args: [String(minutes), String(seed), disk, String(diskMib * 2 ** 20), scratch],
    own: ['-m', '-p', '-f', '--kill-child', '--mount-proc'],
    timeoutMs: minutes * 60_000 + SPARE_MS,
    isWatched,
  });
  return parseAs(SoakFiguresSchema, printed);
}
