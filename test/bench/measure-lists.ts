import { type StoredVersion, writeListState } from '#src/network/lists/stored/list-state.ts';
import { draftVersion } from '#src/network/lists/stored/version-file.ts';
import { interleave } from './interleave.ts';
import { ENTRIES, listedEntry } from './listed-entries.ts';
import type { Plan } from './plan.ts';
import type { SampleSheet } from './samples.ts';

/** What a list of a million entries takes: memory, the time to load it, and that of one look-up, each time in a process of its own. */
export async function measureLists({ rounds }: Plan, folder: string, sheet: SampleSheet): Promise<void> {
  await keepEntries(folder);
  await interleave(rounds, [
    async () => {
      const opening = Bun.spawn([process.execPath, `${import.meta.dir}/open-lists.ts`, folder], { stdout: 'pipe' });
      const [mebibytes, loadMs, findMicros] = (await new Response(opening.stdout).text()).split(' ').map(Number);
      sheet.add('listsMemory', 'own', mebibytes ?? Number.NaN);
      sheet.add('listsLoad', 'own', loadMs ?? Number.NaN);
      sheet.add('listsFind', 'own', findMicros ?? Number.NaN);
    },
  ]);
}

async function keepEntries(folder: string): Promise<void> {
  using draft = draftVersion(folder, 'million');
  let bytes = 0;
  for (let i = 0; i < ENTRIES; i++) {
    const entry = listedEntry(i);
    bytes += entry.replace('http://', '').length;
    const row = { entry, line: i + 1, addedAt: 1_800_000_000, expiresAt: null, quarantine: null, isException: false };
    draft.add({ ...row, source: null, comment: null });
  }
  const version: StoredVersion = {
    name: 'million',
    action: 'block',
    ...{ weight: null, origin: 'operator', source: null, quarantined: 0 },
    ...{ changed_at: '2027-01-15T08:00:00.000Z', entries: ENTRIES, text_bytes: bytes, ...draft.commit() },
  };
  await writeListState(folder, { revision: 1, lists: [version], before: [], history: [] });
}
