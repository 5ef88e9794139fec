import { Type } from '@sinclair/typebox';
import type { EntryQuery, FoundEntries, FoundEntry } from '#src/admin/lists/find-entries.ts';
import type { EntryChoice, ListChange, ListChanged } from '#src/admin/lists/list-change.ts';
import type { ListContent } from '#src/admin/lists/list-inputs.ts';
import type { PreviewedVerdicts } from '#src/admin/lists/preview-change.ts';
import { writtenEntry } from '#src/admin/lists/written-entry.ts';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import type { Actor } from '#src/core/base/actor.ts';
import type { Target } from '#src/core/url/target.ts';
import type { StoredVersion } from '#src/network/lists/stored/list-state.ts';
import type { VersionRow } from '#src/network/lists/stored/version-row.ts';
import { answer } from '../http/answer.ts';
import { ProblemError } from '../http/problem.ts';
import { refusals } from '../http/refusals.ts';
import { BODY_REFUSALS, CHANGE_REFUSALS } from './admin-refusals.ts';
import { ChangedListSchema } from './answers/list-answer.ts';
import { PreviewedChangeSchema } from './answers/preview-answer.ts';
import { type ChangeParts, refusing } from './change-parts.ts';
import { etagOf, requireMatch } from './if-match.ts';
import { actorOf, admitScopes } from './requester.ts';
import { previewOf } from './verdict-preview.ts';

/** Operations on lists. Their errors are those of `lurecheck lists`. */
export interface ListOperations {
  list(): Promise<readonly StoredVersion[]>;
  /** Returns the number of checks that a list decided in the last 30 days; null if the log cannot be read. */
  hits(list: string): Promise<number | null>;
  /** Returns a page of the entries of versions, with the hits of each; nothing once `signal` is aborted. */
  find(versions: readonly StoredVersion[], query: EntryQuery, signal: AbortSignal): Promise<FoundEntryPage>;
  /** Returns the versions of a list, the active one or the last one first. */
  versions(name: string): Promise<readonly StoredVersion[]>;
  /** Returns the verdict by URL and lists alone, and the entries that cover the URL. */
  test(target: Target): Promise<{
    readonly decision: CheckResult['decision'];
    readonly entries: readonly { readonly version: StoredVersion; readonly row: VersionRow }[];
  }>;
  preview(change: ListChange): Promise<PreviewedVerdicts>;
  change(by: Actor, change: ListChange): Promise<readonly ListChanged[]>;
}

/** A page of entries with their hits; null if the log cannot be read. */
export interface FoundEntryPage extends Omit<FoundEntries, 'entries'> {
  readonly entries: readonly (FoundEntry & { readonly hits: number | null })[];
}

export interface ListRouteParts extends ChangeParts {
  readonly lists: ListOperations;
}

export const admitLists = admitScopes('lists');
export const NAME = Type.Object({ name: Type.String({ description: 'Name of the list', examples: ['feed'] }) });

export const instant = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000).toISOString());

export async function listAnswer(version: StoredVersion, { hits }: Pick<ListOperations, 'hits'>) {
  const { name, action, weight, entries, quarantined, origin, source, changed_at } = version;
  return {
    ...{ name, action, weight, entries, quarantined, source },
    ...{ owner: origin, updated_at: changed_at, etag: etagOf(version), hits: await hits(name) },
  };
}

export function shownEntry({ row, hits }: FoundEntryPage['entries'][number]) {
  const { entry, line, addedAt, expiresAt, comment, isException, quarantine } = row;
  const applied = quarantine === null;
  const times = { added: instant(addedAt), expires: instant(expiresAt) };
  return {
    entry,
    written: writtenEntry(entry),
    line,
    ...times,
    comment,
    exception: isException,
    applied,
    held_back: quarantine,
    hits,
  };
}

export const notFound = (name: string) =>
  new ProblemError({ code: 'not_found', detail: `There is no list named "${name}".` });

export async function findList(lists: ListOperations, name: string): Promise<StoredVersion> {
  const version = (await lists.list()).find((one) => one.name === name);
  if (!version) throw notFound(name);
  return version;
}

export function importOf(name: string, body: ListContent): ListChange {
  const { content, format = null, action = null, weight, expires = null, skip_invalid: skipsInvalid = false } = body;
  const { allow_empty: mayBeEmpty = false } = body;
  return {
    ...{ what: 'import', list: name, action, skipsInvalid, mayBeEmpty, source: 'console' },
    ...(weight !== undefined && { weight }),
    items: { bytes: new TextEncoder().encode(content), format },
    expiresAtMs: expires === null ? null : Date.parse(expires),
  };
}

export async function effectOf({ lists }: ListRouteParts, change: ListChange) {
  // A preview lists invalid lines; the change itself rejects them.
  const all = change.what === 'import' ? { ...change, skipsInvalid: true } : change;
  return previewOf(await lists.preview(all));
}

export async function changedNow({ lists }: ListRouteParts, by: Actor, change: ListChange) {
  const changes = await lists.change(by, change);
  const one = changes.find(({ list }) => list === change.list);
  const version = (await lists.list()).find(({ name }) => name === change.list);
  return {
    name: change.list ?? '',
    entries: version?.entries ?? 0,
    added: one?.added ?? 0,
    quarantined: version?.quarantined ?? 0,
    skipped: (one?.skipped.count ?? 0) + (one?.unread.count ?? 0),
    etag: version ? etagOf(version) : null,
  };
}

export const CREATED_EXAMPLE = {
  name: 'feed',
  entries: 120,
  added: 120,
  quarantined: 0,
  skipped: 0,
  etag: '"m4yFQxq0H0bU2k3z1vXk5g"',
};

export const CHANGED = {
  200: answer(Type.Union([ChangedListSchema, PreviewedChangeSchema]), {
    description: 'The list after the change; with `preview=true` the effect.',
    example: CREATED_EXAMPLE,
  }),
  ...refusals(...BODY_REFUSALS, ...CHANGE_REFUSALS, 'not_found'),
};

export const LIST_EXAMPLE = {
  ...{ name: 'feed', action: 'block' as const, weight: null, entries: 120, quarantined: 0, owner: 'operator' },
  ...{ source: 'urlhaus.csv', updated_at: '2026-01-31T12:00:00.000Z', etag: CREATED_EXAMPLE.etag },
  hits: 12,
};

export const ENTRY_EXAMPLE = {
  ...{ entry: 'evil.example', written: null, line: 1, added: '2026-01-31T12:00:00.000Z', expires: null, comment: null },
  ...{ exception: false, applied: true, held_back: null, hits: 12 },
};

/** Removes a list, or entries of it. */
export async function removal(
  service: ListRouteParts,
  request: Request,
  name: string,
  entries: EntryChoice | null,
  isPreview: boolean,
) {
  return await refusing(async () => {
    await findList(service.lists, name);
    const change: ListChange = { what: 'remove', list: name, entries };
    if (isPreview) return await effectOf(service, change);
    return await service.inTurn(async () => {
      requireMatch(request, etagOf(await findList(service.lists, name)));
      return await changedNow(service, actorOf(request), change);
    });
  });
}
