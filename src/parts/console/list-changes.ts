import { Type } from '@sinclair/typebox';
import type { PreviewView } from '#src/admin/active/scoring-context.ts';
import type { ActPlace } from '#src/admin/audit/act.ts';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import type { Target } from '#src/core/url/target.ts';
import { readListState, type StoredVersion } from '#src/network/lists/stored/list-state.ts';
import type { VersionRow } from '#src/network/lists/stored/version-file.ts';
import { writtenEntry } from '#src/parts/lists/covering-entries.ts';
import type { EntryQuery, FoundEntries, FoundEntry } from '#src/parts/lists/find-entries.ts';
import { LIST_ACTS } from '#src/parts/lists/list-acts.ts';
import type { ListChange } from '#src/parts/lists/list-change.ts';
import type { ListContent } from '#src/parts/lists/list-inputs.ts';
import { PREVIEWED, previewOf } from '#src/parts/lists/verdict-preview.ts';
import { type ActParts, etagOf, performed } from '#src/service/server/admin/act-route.ts';
import { BODY_REFUSALS, CHANGE_REFUSALS } from '#src/service/server/admin/change-parts.ts';
import { PreviewedChangeSchema } from '#src/service/server/admin/preview-answer.ts';
import { answer } from '#src/service/server/http/answer.ts';
import { ProblemError } from '#src/service/server/http/problem.ts';
import { ChangedListSchema } from './answers/list-answer.ts';

/** Reads lists beside their files. Errors are those of `lurecheck lists`. */
export interface ListOperations {
  /** Returns the number of checks that a list decided in the last 30 days; null if the log cannot be read. */
  hits(list: string): Promise<number | null>;
  /** Returns a page of the entries of versions, with the hits of each; nothing once `signal` is aborted. */
  find(versions: readonly StoredVersion[], query: EntryQuery, signal: AbortSignal): Promise<FoundEntryPage>;
  /** Returns the verdict by URL and lists alone, and the entries that cover the URL. */
  test(target: Target): Promise<{
    readonly decision: CheckResult['decision'];
    readonly entries: readonly { readonly version: StoredVersion; readonly row: VersionRow }[];
  }>;
}

/** A page of entries with their hits; null if the log cannot be read. */
export interface FoundEntryPage extends Omit<FoundEntries, 'entries'> {
  readonly entries: readonly (FoundEntry & { readonly hits: number | null })[];
}

export interface ListRouteParts extends ActParts<ActPlace & PreviewView> {
  readonly lists: ListOperations;
}

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

/** Returns the active lists. */
export const activeLists = async ({ acts }: ListRouteParts) => (await readListState(acts.place.dataDir)).lists;

/** Returns an active list; null if there is none of this name. */
export async function findList(service: ListRouteParts, name: string): Promise<StoredVersion | null> {
  return (await activeLists(service)).find((one) => one.name === name) ?? null;
}

/** Returns an active list. Throws ProblemError 404 if there is none of this name. */
export async function requireList(service: ListRouteParts, name: string): Promise<StoredVersion> {
  const version = await findList(service, name);
  if (version === null) throw notFound(name);
  return version;
}

/** Returns the tag of an active list. Throws ProblemError 404 if there is none of this name. */
export const listTag = async (service: ListRouteParts, name: string) => etagOf(await requireList(service, name));

/** A preview lists invalid lines; the change itself rejects them. */
export function importOf(name: string, body: ListContent, isPreview: boolean): ListChange {
  const { content, format = null, action = null, weight, expires = null, skip_invalid = false } = body;
  const { allow_empty: mayBeEmpty = false } = body;
  return {
    ...{ what: 'import', list: name, action, mayBeEmpty, source: 'console' },
    skipsInvalid: skip_invalid || isPreview,
    ...(weight !== undefined && { weight }),
    items: { bytes: new TextEncoder().encode(content), format },
    expiresAtMs: expires === null ? null : Date.parse(expires),
  };
}

/** A request for a change of a list. */
interface ListRequest {
  readonly request: Request;
  readonly service: ListRouteParts;
  readonly preview: string | undefined;
  /** The answer, whose status is 201 if given. */
  readonly set?: { status?: unknown };
}

/**
 * Changes a list, or returns the effect of that. Throws ProblemError.
 *
 * @param current as `performed` takes it
 * @param field member of the body that a refusal may be about
 */
export async function changedList(
  { request, service, preview, set }: ListRequest,
  change: ListChange,
  current?: () => Promise<string | null>,
  field?: string,
) {
  return await performed({ request, service, preview }, LIST_ACTS[change.what], {
    input: change,
    ...{ current, field },
    effect: previewOf,
    async answer(changes) {
      const name = change.list ?? '';
      const one = changes.find(({ list }) => list === name);
      const version = await findList(service, name);
      if (set) set.status = 201;
      return {
        name,
        entries: version?.entries ?? 0,
        added: one?.added ?? 0,
        quarantined: version?.quarantined ?? 0,
        skipped: (one?.skipped.count ?? 0) + (one?.unread.count ?? 0),
        etag: version ? etagOf(version) : null,
      };
    },
  });
}

export const CREATED_EXAMPLE = {
  name: 'feed',
  entries: 120,
  added: 120,
  quarantined: 0,
  skipped: 0,
  etag: '"m4yFQxq0H0bU2k3z1vXk5g"',
};

/** Answers and refusals of routes that change a list. */
export const CHANGED = {
  answers: {
    200: answer(Type.Union([ChangedListSchema, PreviewedChangeSchema]), {
      description: 'The list after the change; with `preview=true` the effect.',
      example: CREATED_EXAMPLE,
    }),
  },
  refuses: [...BODY_REFUSALS, ...CHANGE_REFUSALS, 'not_found'] as const,
};

/** Answers and refusals of routes that create a list, or add to one. */
export const CREATED = (description: string) => ({
  answers: {
    200: answer(PreviewedChangeSchema, PREVIEWED),
    201: answer(ChangedListSchema, { description, example: CREATED_EXAMPLE }),
  },
  refuses: [...BODY_REFUSALS, 'conflict'] as const,
});

export const LIST_EXAMPLE = {
  ...{ name: 'feed', action: 'block' as const, weight: null, entries: 120, quarantined: 0, owner: 'operator' },
  ...{ source: 'urlhaus.csv', updated_at: '2026-01-31T12:00:00.000Z', etag: CREATED_EXAMPLE.etag },
  hits: 12,
};

export const ENTRY_EXAMPLE = {
  ...{ entry: 'evil.example', written: null, line: 1, added: '2026-01-31T12:00:00.000Z', expires: null, comment: null },
  ...{ exception: false, applied: true, held_back: null, hits: 12 },
};
