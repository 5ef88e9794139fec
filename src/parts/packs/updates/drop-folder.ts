import { type BigIntStats, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type PackState, packStateFile, readPackState } from '#src/admin/active/pack-state.ts';
import { audited } from '#src/admin/audit/audit-log.ts';
import { readErrorText } from '#src/core/base/files/named-file.ts';
import { VERSION } from '#src/core/base/version.ts';
import { admit, knownSigner, trustedSigner } from '#src/parts/packs/packs/admit.ts';
import { type OpenPack, openPack, readSeal } from '#src/parts/packs/packs/open-pack.ts';
import { PackError, type PackFault } from '#src/parts/packs/packs/pack-error.ts';
import { packTime } from '#src/parts/packs/packs/pack-time.ts';
import { type InstallOrder, prepareInstall } from './install-pack.ts';

/** A refused file of the drop folder, with the reason. */
export interface RefusedPack {
  /** Its name in the folder. */
  readonly file: string;
  readonly code: PackFault;
  readonly message: string;
}

/** Result of a scan of the drop folder. */
interface DropFolderScan {
  /** Installed packs, in order. */
  readonly installed: readonly Pick<OpenPack['manifest'], 'name' | 'version'>[];
  /** Files that are refused now. */
  readonly refused: readonly RefusedPack[];
}

/** A folder with more files is not read: it is not a folder for packs. */
const MAX_FILES = 1000;

/** Options of installing packs from a folder, which never installs older ones. */
interface DropOrder extends Omit<InstallOrder, 'mayBeOlder' | 'knowledge'> {
  /** Called only if there is a pack to install, to save memory. */
  readonly openKnowledge: () => Promise<InstallOrder['knowledge']>;
}

/** Begins to look into drop folders; what was refused is not read again as long as nothing has changed. */
export function createDropFolder(order: DropOrder) {
  const known = new Map<string, { readonly stamp: string; readonly error: PackError }>();

  async function install(path: string, stamp: string): Promise<boolean> {
    try {
      const knowledge = await order.openKnowledge();
      await using ready = await prepareInstall(path, { ...order, knowledge, mayBeOlder: false });
      const { name, version, print } = ready.installed;
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
    /**
     * Installs, of each name, the latest pack of trusted publishers that may be installed. Throws OperationError if it
     * cannot be stored.
     */
    async scan(folder: string) {
      const installed: DropFolderScan['installed'][number][] = [];
      for (;;) {
        const { candidates, refused } = await sortPackFiles(folder, order);
        const stamps = new Map(candidates.map(({ path }) => [path, stampOf(path, order.dataDir)]));
        const failed = candidates.flatMap(({ path, file }) => {
          const before = known.get(path);
          return before && before.stamp === stamps.get(path) ? [refusedPack(file, before.error)] : [];
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

/**
 * Returns what may be installed from a folder, latest first, and what is refused; active and older packs are neither.
 */
export async function sortPackFiles(
  folder: string,
  order: Pick<DropOrder, 'dataDir' | 'clock'>,
): Promise<{ candidates: Candidate[]; refused: RefusedPack[] }> {
  const candidates: Candidate[] = [];
  const refused: RefusedPack[] = [];
  const state = readPackState(order.dataDir);
  const files = await filesIn(folder);
  for (const file of files) {
    const path = join(folder, file);
    try {
      const pack = await admissible(path, state, order);
      if (pack) candidates.push({ file, path, pack });
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      if (error.code !== 'newer_format' || !hasOlderFormatCopy(file, files)) refused.push(refusedPack(file, error));
    }
  }
  return { candidates: candidates.toSorted((a, b) => b.pack.manifest.version - a.pack.manifest.version), refused };
}

/** Returns a pack to try; null if it or a newer one is active, or it was rolled back. */
async function admissible(
  path: string,
  state: PackState,
  { dataDir, clock }: Pick<DropOrder, 'dataDir' | 'clock'>,
): Promise<OpenPack | null> {
  const sealed = await readSeal(path);
  knownSigner(sealed.signer, state);
  const pack = openPack(sealed);
  const { name, version } = pack.manifest;
  // Old packs lie about in a folder.
  if ([...state.active, ...state.withdrawn].some((one) => one.name === name && one.version >= version)) return null;
  const publisher = trustedSigner(sealed.signer, state);
  const { nowMs } = packTime(dataDir, clock);
  admit(pack, publisher, { state, nowMs, version: VERSION, mayBeOlder: false });
  return pack;
}

/**
 * A publisher whose subscribers have several versions of the program puts `acme-7.2.pack`, of format 2, beside
 * `acme-7.pack`.
 */
function hasOlderFormatCopy(file: string, files: readonly string[]): boolean {
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
    throw new PackError('not_a_pack', `the folder ${readErrorText(cause)}`, { cause });
  }
}

/** Changes when the file is replaced, and when the trusted keys or the active packs change. */
function stampOf(path: string, dataDir: string): string {
  return [path, packStateFile(dataDir)]
    .map((one) => stampText(statSync(one, { throwIfNoEntry: false, bigint: true })))
    .join();
}

function stampText(found: BigIntStats | undefined): string {
  return found ? `${found.ino} ${found.mtimeNs} ${found.size}` : '';
}

function refusedPack(file: string, { code, message }: PackError): RefusedPack {
  return { file, code, message };
}
