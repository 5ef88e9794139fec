import { setImmediate } from 'node:timers/promises';
import { systemClock } from '#src/core/base/clock.ts';
import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import { readListFile } from '#src/network/lists/formats/read-list-file.ts';
import type { ListChanged } from '../list-change.ts';
import { SOURCE } from '#src/network/lists/stored/list-state.ts';
import { type ListSource, shownPlace } from '#src/network/lists/list-source.ts';
import { audited } from '#src/admin/audit/audit-log.ts';
import { prepareKeptLists } from '../stored-lists.ts';
import { previewLists } from '../preview-lists.ts';
import type { Today } from '#src/admin/rescore/rescore-check.ts';

/** A list of at least so many entries that loses nine tenths of them at once is a mistake of its publisher's. */
const FEW_ENTRIES = 100;
const LEAST_SHARE = 0.1;

/** Of lines that are no entry, a list may have one in so many: an error page has more. */
const LINES_PER_BAD_LINE = 100;

/** Other work of the service goes on after so many bytes. */
const PIECE_BYTES = 32 * 1024;

/**
 * Imports what came from a source, with the guard and the preview of an import by hand, or refuses it. Where a person would be
 * asked, it is refused.
 *
 * @throws SettingsError that says why nothing was changed
 */
export async function importSource(
  dataDir: string,
  source: ListSource,
  bytes: Uint8Array,
  today: Today,
): Promise<ListChanged> {
  const prepared = await prepareKeptLists(dataDir, SOURCE, [
    {
      ...{ what: 'import', list: source.name, action: null, source: 'it', expiresAtMs: null, skipsInvalid: true },
      items: readListFile(inPieces(bytes)),
    },
  ]);
  let isDone = false;
  try {
    const changed = prepared.changed[0];
    if (changed === undefined) throw new TypeError('nothing was prepared');
    refuseMistake(changed);
    const preview = await previewLists(dataDir, prepared, today, systemClock.now());
    const { changed: sites } = await preview.wellKnown(1);
    const blocked = sites.filter(({ now }) => now === 'block');
    if (blocked[0])
      throw refused(`would block ${blocked.length} well-known sites, ${new URL(blocked[0].url).hostname} among them`);
    const sha256 = prepared.next.find(({ name }) => name === source.name)?.sha256 ?? null;
    const detail = { source: shownPlace(source), entries: changed.entries, sha256 };
    const what = { action: 'lists.import', subject: source.name, detail };
    await audited(dataDir, { service: 'list_sources' }, what, prepared.commit);
    isDone = true;
    return changed;
  } finally {
    if (!isDone) await prepared.discard();
  }
}

/** Refuses what a person would not confirm. */
function refuseMistake({ entries, entriesBefore, quarantined, leftOut }: ListChanged): void {
  if (leftOut.count * LINES_PER_BAD_LINE > entries + quarantined) {
    const { line = 0, message = '' } = leftOut.first[0] ?? {};
    throw refused(`has ${leftOut.count} lines that are no entry; line ${line}: ${message}`);
  }
  if (entries === 0) throw refused('holds no entry that is applied');
  if (entriesBefore >= FEW_ENTRIES && entries < entriesBefore * LEAST_SHARE)
    throw refused(`holds ${entries} entries, and held ${entriesBefore}: if that is right, lurecheck lists remove it`);
}

const refused = (what: string) => new SettingsError([`it ${what}; nothing was changed`]);

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield bytes.subarray(at, at + PIECE_BYTES);
    await setImmediate();
  }
}
