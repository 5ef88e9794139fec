import { type BigIntStats, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { obstacleOf } from '#src/core/base/files/named-file.ts';
import { VERSION } from '#src/core/base/version.ts';
import { admit, knownSigner, trustedSigner } from '#src/admin/packs/admit.ts';
import { type OpenPack, openPack } from '#src/admin/packs/open-pack.ts';
import { PackError, type PackFault } from '#src/admin/packs/pack-error.ts';
import { type PackState, packStateFile, readPackState } from '#src/admin/packs/pack-state.ts';
import { readSeal } from '#src/admin/packs/seal.ts';
import { audited } from '#src/admin/audit/audit-log.ts';
import { boxTime } from './box-time.ts';
import { type InstallOrder, prepareInstall } from './install-pack.ts';

/** A file of the drop folder that is not installed, and why. */
export interface RefusedFile {
  /** Its name in the folder. */
  readonly file: string;
  readonly code: PackFault;
  readonly message: string;
}

/** What a look into the drop folder came to. */
export interface DropLook {
  /** What came into force, in turn. */
  readonly installed: readonly Pick<OpenPack['manifest'], 'name' | 'version'>[];
  /** What is refused as things stand. */
  readonly refused: readonly RefusedFile[];
}

/** A folder into which packs are put for a box to find. */
export interface DropFolder {
  /** Installs of each name the newest pack of trusted publishers that may be. Throws SettingsError where it cannot be kept. */
  look(folder: string): Promise<DropLook>;
}

/** More files than this are not looked at: the folder is none for packs. */
const MAX_FILES = 1000;

/** Where packs are installed from a folder; older ones never. */
export interface DropOrder extends Omit<InstallOrder, 'isOlderMeant' | 'knowledge'> {
  /** Is asked for where there is a pack to install: it would lie in memory for nothing. */
  readonly openKnowledge: () => Promise<InstallOrder['knowledge']>;
}

/** Begins to look into drop folders; what was refused is not read again as long as nothing has changed. */
export function createDropFolder(order: DropOrder): DropFolder {
  const known = new Map<string, { readonly stamp: string; readonly error: PackError }>();

  async function install(path: string, stamp: string): Promise<boolean> {
    try {
      const knowledge = await order.openKnowledge();
      await using ready = await prepareInstall(path, { ...order, knowledge, isOlderMeant: false });
      const { name, version, print } = ready.kept;
      const what = { action: 'pack.install', subject: name, detail: { version, print, file: basename(path) } };
      await audited(order.dataDir, { service: 'pack_dir' }, what, ready.install);
      return true;
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      known.set(path, { stamp, error });
      return false;
    }
  }

  return {
    async look(folder) {
      const installed: DropLook['installed'][number][] = [];
      for (;;) {
        const { candidates, refused } = await sortDropped(folder, order);
        const stamps = new Map(candidates.map(({ path }) => [path, stampOf(path, order.dataDir)]));
        const failed = candidates.flatMap(({ path, file }) => {
          const before = known.get(path);
          return before && before.stamp === stamps.get(path) ? [refusedFile(file, before.error)] : [];
        });
        const next = candidates.find(({ file }) => !failed.some((one) => one.file === file));
        if (next === undefined) return { installed, refused: [...refused, ...failed] };
        if (await install(next.path, stamps.get(next.path) ?? '')) installed.push(next.pack.manifest);
      }
    },
  };
}

interface Candidate {
  readonly file: string;
  readonly path: string;
  readonly pack: OpenPack;
}

/** What of a folder may be installed, the newest first, and what is refused; what is in force, or older, is neither. */
export async function sortDropped(
  folder: string,
  order: Pick<DropOrder, 'dataDir' | 'clock'>,
): Promise<{ candidates: Candidate[]; refused: RefusedFile[] }> {
  const candidates: Candidate[] = [];
  const refused: RefusedFile[] = [];
  const state = readPackState(order.dataDir);
  const files = await filesIn(folder);
  for (const file of files) {
    const path = join(folder, file);
    try {
      const pack = await judge(path, state, order);
      if (pack) candidates.push({ file, path, pack });
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      if (error.code !== 'newer_format' || !hasTwin(file, files)) refused.push(refusedFile(file, error));
    }
  }
  return { candidates: candidates.toSorted((a, b) => b.pack.manifest.version - a.pack.manifest.version), refused };
}

/** Whether a pack is to be tried; null where it is in force, an older one is, or it was taken back. */
async function judge(
  path: string,
  state: PackState,
  { dataDir, clock }: Pick<DropOrder, 'dataDir' | 'clock'>,
): Promise<OpenPack | null> {
  const sealed = await readSeal(path);
  knownSigner(sealed.signer, state);
  const pack = openPack(sealed);
  const { name, version } = pack.manifest;
  // Old packs lie about in a folder.
  if ([...state.inForce, ...state.heldBack].some((one) => one.name === name && one.version >= version)) return null;
  const publisher = trustedSigner(sealed.signer, state);
  const { nowMs } = boxTime(dataDir, clock);
  admit(pack, publisher, { state, nowMs, version: VERSION, isOlderMeant: false });
  return pack;
}

/** A publisher whose boxes are of several ages puts `acme-7.2.pack`, of format 2, beside `acme-7.pack`. */
function hasTwin(file: string, files: readonly string[]): boolean {
  const twin = file.replace(/\.\d+(?=\.pack$)/, '');
  return twin !== file && files.includes(twin);
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const files = entries.filter(({ name }) => name.endsWith('.pack') && !name.startsWith('.'));
    return files
      .map(({ name }) => name)
      .toSorted()
      .slice(0, MAX_FILES);
  } catch (cause) {
    throw new PackError('not_a_pack', `the folder ${obstacleOf(cause)}`, { cause });
  }
}

/** What is another where the file was replaced, or the trusted keys and the packs in force are others. */
function stampOf(path: string, dataDir: string): string {
  return [path, packStateFile(dataDir)]
    .map((one) => written(statSync(one, { throwIfNoEntry: false, bigint: true })))
    .join();
}

function written(found: BigIntStats | undefined): string {
  return found ? `${found.ino} ${found.mtimeNs} ${found.size}` : '';
}

function refusedFile(file: string, { code, message }: PackError): RefusedFile {
  return { file, code, message };
}
