import { systemClock } from '#src/core/base/clock.ts';
import { PackError } from '#src/admin/packs/pack-error.ts';
import { openKnowledge } from '#src/admin/active/models.ts';
import { boxTime } from '#src/admin/pack-updates/box-time.ts';
import { type RefusedFile, sortDropped } from '#src/admin/pack-updates/drop-folder.ts';
import { notesOn, type PackStanding, standingOf } from '#src/admin/packs/pack-status.ts';
import { openPacksInForce } from '#src/admin/packs/active-packs.ts';
import { better, broken, type Examination, type Finding, well } from './finding.ts';

/** Time enough to carry the next one here. */
const SOON_MS = 14 * 86_400_000;

/** The packs that are in force, and what the drop folder holds that is refused. */
export const examinePacks: Examination = async ({ data_dir: dataDir, pack_dir: folder }) => {
  const knowledge = openKnowledge();
  const packs = await openPacksInForce(dataDir, knowledge);
  const { nowMs } = boxTime(dataDir, systemClock);
  if (packs.problem !== null)
    return [broken('packs', packs.problem, 'Restore it from a backup, or remove it and install the packs anew.')];
  const standing = standingOf(packs, nowMs);
  const refused = folder === null ? [] : await refusedIn(folder, dataDir);
  if (standing.length + refused.length === 0) return [well('packs', 'No pack is in force.')];
  return [...standing.map((pack) => findingOf(pack, nowMs)), ...refused.map(refusedFinding)];
};

function findingOf(pack: PackStanding, nowMs: number): Finding {
  const notes = notesOn(pack);
  if (notes.length > 0) return better('packs', notes.join(' '), adviceFor(pack));
  const { name, version, publisher, expires } = pack;
  const said = `The pack ${name} ${version} of ${publisher} is in force until ${expires?.slice(0, 10)}.`;
  const endsSoon = expires !== null && Date.parse(expires) < nowMs + SOON_MS;
  return endsSoon ? better('packs', said, 'Have the next one carried here.') : well('packs', said);
}

function adviceFor({ name, isRevoked, problem }: PackStanding): string {
  if (problem !== null) return 'Install it again, or go back: lurecheck pack rollback.';
  return isRevoked ? `Take it out: lurecheck pack remove ${name}.` : 'Have the next one carried here.';
}

function refusedFinding({ file, message }: RefusedFile): Finding {
  return better('packs', `${file} in the drop folder is refused: ${message}.`, 'Remove it, or ask its publisher.');
}

async function refusedIn(folder: string, dataDir: string): Promise<readonly RefusedFile[]> {
  try {
    return (await sortDropped(folder, { dataDir, clock: systemClock })).refused;
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    return [{ file: folder, code: error.code, message: error.message }];
  }
}
