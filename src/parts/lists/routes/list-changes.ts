import { Type } from '@sinclair/typebox';
import type { PreviewView } from '#src/admin/active/scoring-context.ts';
import type { ActPlace } from '#src/admin/audit/act.ts';
import { createListHits, hitsOf, mostHit } from '#src/checks/store/read/recent-list-hits.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createTurns, type Turns } from '#src/core/base/turns.ts';
import type { Target } from '#src/core/url/target.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { readListState, type StoredVersion } from '#src/network/lists/stored/list-state.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { type ActParts, etagOf, performed } from '#src/service/server/admin/act-route.ts';
import { BODY_REFUSALS, CHANGE_REFUSALS } from '#src/service/server/admin/change-parts.ts';
import { PreviewedChangeSchema } from '#src/service/server/admin/preview-answer.ts';
import { answer } from '#src/service/server/http/answer.ts';
import { ProblemError } from '#src/service/server/http/problem.ts';
import { type EntryQuery, type FoundEntries, writtenEntry } from '../find-entries.ts';
import { LIST_ACTS } from '../list-acts.ts';
import type { ListChange } from '../list-change.ts';
import type { ListContent } from '../list-inputs.ts';
import { PREVIEWED, previewOf } from '../preview-lists.ts';
import { workOnLists } from '../thread/work-on-lists.ts';
import { ChangedListSchema, type ShownSource } from './list-answer.ts';

/** Answer to a request that was aborted. */
const NOTHING_FOUND: FoundEntries = { entries: [], found: 0, next: null };

/** Dependencies of {@link listOperations}. */
interface ListService extends Pick<PreviewView, 'dataDir' | 'scoring'> {
  readonly log: Parameters<typeof createListHits>[0];
  /** Tests of URLs run one at a time, beside previews. */
  readonly heavy: Pick<Turns, 'run'>;
}

/** Returns what reads lists beside their files. Errors are those of `lurecheck lists`. */
export function listOperations({ dataDir, scoring, log, heavy }: ListService) {
  const hits = createListHits(log, systemClock);
  // One search at a time reads through lists; what is typed on meanwhile replaces those that wait.
  const searches = createTurns();

  return {
    /** Returns the number of checks that a list decided in the last 30 days; null if the log cannot be read. */
    async hits(list: string) {
      const counted = await hits();
      return counted && (counted.get(list)?.total ?? 0);
    },
    /** Returns a page of the entries of versions, with the hits of each; nothing once `signal` is aborted. */
    async find(lists: readonly StoredVersion[], query: EntryQuery, signal: AbortSignal) {
      const counted = await hits();
      const { search, sort, isDescending, after } = query;
      // The beginning of a list is found at once.
      const isBeginning = search === '' && sort === 'line' && !isDescending && after === null;
      const ranked = sort === 'hits' ? await mostHit(counted) : new Map();
      const find = () =>
        workOnLists('findEntries', { versions: isBeginning ? [] : lists }, dataDir, lists, query, ranked);
      const run = async () => (signal.aborted ? NOTHING_FOUND : await find());
      const { entries, ...rest } = isBeginning ? await find() : await searches.run(run);
      return { ...rest, entries: entries.map((one) => ({ ...one, hits: hitsOf(counted, one.list, one.row.entry) })) };
    },
    /** Returns the verdict by URL and lists alone, and the entries that cover the URL. */
    async test(target: Target) {
      const { lists, models, settings } = scoring();
      const observed = skippedObservations('disabled', observeLists(lists, target, systemClock.now()));
      const { decision } = assess(target, observed, models, settings);
      return {
        decision,
        entries: await heavy.run(async () => {
          const { lists: all } = await readListState(dataDir);
          return await workOnLists('coveringEntries', { versions: all }, dataDir, all, target);
        }),
      };
    },
  };
}

type ListOperations = ReturnType<typeof listOperations>;

export interface ListRouteParts extends ActParts<ActPlace & PreviewView> {
  readonly lists: ListOperations;
  /** Tries all list sources at once; returns their states. */
  readonly renewSources: () => Promise<ShownSource[]>;
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

export function shownEntry({ row, hits }: Awaited<ReturnType<ListOperations['find']>>['entries'][number]) {
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
