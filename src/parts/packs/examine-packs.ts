import { openKnowledge } from '#src/admin/active/models.ts';
import { better, broken, type Examination, type Finding, well } from '#src/app/doctor/finding.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { openActivePacks } from '#src/parts/packs/packs/active-packs.ts';
import { PackError } from '#src/parts/packs/packs/pack-error.ts';
import { type PackStatus, packNotices, packStatuses } from '#src/parts/packs/packs/pack-status.ts';
import { packTime } from '#src/parts/packs/packs/pack-time.ts';
import { type RefusedPack, sortPackFiles } from '#src/parts/packs/updates/drop-folder.ts';

/** Time enough to carry the next one here. */
const SOON_MS = 14 * 86_400_000;

/** Examines the active packs, and the refused files of the drop folder. */
export const examinePacks: Examination = async ({ data_dir: dataDir, pack_dir: folder }) => {
  const knowledge = openKnowledge();
  const packs = await openActivePacks(dataDir, knowledge);
  const { nowMs } = packTime(dataDir, systemClock);
  if (packs.problem !== null)
    return [broken('packs', packs.problem, 'Restore it from a backup, or remove it and install the packs again.')];
  const standing = packStatuses(packs, nowMs);
  const refused = folder === null ? [] : await refusedIn(folder, dataDir);
  if (standing.length + refused.length === 0) return [well('packs', 'No pack is active.')];
  return [...standing.map((pack) => findingOf(pack, nowMs)), ...refused.map(refusedFinding)];
};

function findingOf(pack: PackStatus, nowMs: number): Finding {
  const notes = packNotices(pack).map(({ text }) => text);
  if (notes.length > 0) return better('packs', notes.join(' '), adviceFor(pack));
  const { name, version, publisher, expires } = pack;
  const said = `The pack ${name} ${version} of ${publisher} is active until ${expires?.slice(0, 10)}.`;
  const endsSoon = expires !== null && Date.parse(expires) < nowMs + SOON_MS;
  return endsSoon ? better('packs', said, 'Install a newer version.') : well('packs', said);
}

function adviceFor({ name, isRevoked, problem }: PackStatus): string {
  if (problem !== null) return 'Install it again, or roll back: lurecheck pack rollback.';
  return isRevoked ? `Remove it: lurecheck pack remove ${name}.` : 'Install a newer version.';
}

function refusedFinding({ file, message }: RefusedPack): Finding {
  return better('packs', `${file} in the drop folder was refused: ${message}.`, 'Remove it, or contact its publisher.');
}

async function refusedIn(folder: string, dataDir: string): Promise<readonly RefusedPack[]> {
  try {
    return (await sortPackFiles(folder, { dataDir, clock: systemClock })).refused;
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    return [{ file: folder, code: error.code, message: error.message }];
  }
}

const SET_THE_CLOCK =
  'Set the clock: certificates, domain ages and retention depend on it. If it is right now but was ahead before, remove packs/clock.json in the data directory.';

/** Examines the clock against signed times: the build day of this program, and the latest time of a pack. */
export const examineClock: Examination = async ({ data_dir: dataDir }) => {
  try {
    const { clockMs, isClockBehind, nowMs } = packTime(dataDir, systemClock);
    const now = new Date(clockMs).toISOString();
    if (!isClockBehind) return [well('clock', `It is ${now}.`)];
    const said = `The clock shows ${now}, which is before ${new Date(nowMs).toISOString()}, a time that this host has already observed.`;
    return [broken('clock', said, SET_THE_CLOCK)];
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return [broken('clock', error.problems.join('; '), 'Remove the file; the next pack creates it again.')];
  }
};
