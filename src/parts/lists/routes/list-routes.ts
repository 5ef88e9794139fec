import { type Static, Type } from '@sinclair/typebox';
import { readListState } from '#src/network/lists/stored/list-state.ts';
import { actRoute, etagOf, viewRoute } from '#src/service/server/admin/act-route.ts';
import { CONSOLE_REFUSALS, PreviewQuerySchema, refusing, waitLong } from '#src/service/server/admin/change-parts.ts';
import { admitScopes } from '#src/service/server/admin/requester.ts';
import { answer } from '#src/service/server/http/answer.ts';
import { noBody, parseListInJson } from '#src/service/server/http/json-body.ts';
import { limitParameter, parameter } from '#src/service/server/http/parameter.ts';
import { ProblemError } from '#src/service/server/http/problem.ts';
import { refusals } from '#src/service/server/http/refusals.ts';
import { routesWith } from '#src/service/server/http/routes-with.ts';
import { AFTER, ENTRY_SORTS, type EntryQuery, type EntrySort } from '../find-entries.ts';
import { LIST_ACTS } from '../list-acts.ts';
import { NewListSchema } from '../list-inputs.ts';
import {
  FoundEntriesSchema,
  ListPageSchema,
  ListsSchema,
  ListVersionsSchema,
  type ShownSource,
  SourcesSchema,
} from './list-answer.ts';
import {
  activeLists,
  CHANGED,
  CREATED,
  CREATED_EXAMPLE,
  changedList,
  ENTRY_EXAMPLE,
  findList,
  importOf,
  LIST_EXAMPLE,
  type ListRouteParts,
  listAnswer,
  listTag,
  NAME,
  notFound,
  requireList,
  shownEntry,
} from './list-changes.ts';
import { listEntryRoutes } from './list-entry-routes.ts';

const DEFAULT_LIMIT = 50;
const MAX_TEXT_LENGTH = 8192;

const ORDERS = ['asc', 'desc'] as const;

const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Optional(
    parameter<T>(`one of ${values.join(', ')}`, (text) => values.some((one) => one === text), {
      enum: [...values],
      description,
      examples: [values[0]],
    }),
  );

/** The parameters of a page of entries. */
const EntryQuerySchema = Type.Object({
  limit: limitParameter,
  after: Type.Optional(
    parameter('next_after of the previous page', (text) => AFTER.test(text), {
      description: '`next_after` of the previous page',
      examples: ['50'],
    }),
  ),
  search: Type.Optional(
    parameter(`a text of at most ${MAX_TEXT_LENGTH} characters`, (text) => text.length <= MAX_TEXT_LENGTH, {
      maxLength: MAX_TEXT_LENGTH,
      description:
        'Only entries with this text in them or in their comment, case-insensitive, and those that cover this host or URL',
      examples: ['partner.example'],
    }),
  ),
  sort: oneOf<EntrySort>(
    ENTRY_SORTS,
    '`line`: as in the list; `entry`: by name; `added`, `expires`: by time; `hits`: by the checks that they decided',
  ),
  order: oneOf(ORDERS, 'Ascending by default, or descending'),
});

/** Returns a page of entries as the lists are asked for it. */
function entryQuery(query: Static<typeof EntryQuerySchema>): EntryQuery {
  const { limit = DEFAULT_LIMIT, after = null, search = '', sort = 'line', order = 'asc' } = query;
  return { limit, after, search: search.trim(), sort, isDescending: order === 'desc' };
}

const SOURCE_EXAMPLE: ShownSource = {
  ...{ name: 'feed', tried_at: '2026-01-31T12:00:00.000Z', renewed_at: '2026-01-30T04:00:00.000Z' },
  ...{ next_at: '2026-01-31T12:10:00.000Z', problem: 'its file does not exist' },
};

/** `/api/admin/lists`: lists, imports and versions; `/api/admin/list-sources`: scheduled sources. */
export const listRoutes = routesWith<ListRouteParts>()
  .use(listEntryRoutes)
  .get(
    '/api/admin/lists',
    ({ service }) =>
      refusing(async () => {
        const versions = await activeLists(service);
        return { items: await Promise.all(versions.map((one) => listAnswer(one, service.lists))) };
      }),
    viewRoute(['lists'], {
      id: 'listLists',
      summary: 'List the lists',
      description: 'The lists of the operator, of feedback, of sources and of packs. Scope: `lists`.',
      answers: {
        200: answer(ListsSchema, { description: 'The lists.', example: { items: [LIST_EXAMPLE] } }),
      },
      refuses: ['conflict'],
    }),
  )
  .post(
    '/api/admin/lists',
    ({ body: { name, ...content }, query: { preview }, request, set, service }) =>
      changedList(
        { request, service, preview, set },
        importOf(name, content, preview === 'true'),
        async () => {
          if ((await findList(service, name)) === null) return null;
          throw new ProblemError({ code: 'conflict', detail: `There is a list named "${name}" already.` });
        },
        'content',
      ),
    actRoute(
      { ...LIST_ACTS.import, input: NewListSchema },
      {
        id: 'createList',
        summary: 'Create a list',
        description:
          'Imports a list under a new name. With `preview=true` the latest public checks are scored again, and nothing is ' +
          'changed. 409 if there is a list of this name. Scope: `lists`.',
        body: {
          description: 'JSON of at most 4 MiB; import larger lists with `lurecheck lists import`.',
          example: { name: 'feed', content: 'evil.example\nbad.example\n', action: 'block' },
        },
        parse: parseListInJson,
        query: PreviewQuerySchema,
        ...CREATED('The list is active.'),
      },
    ),
  )
  .get(
    '/api/admin/list-entries',
    ({ query, request, service }) =>
      refusing(async () => {
        const versions = await activeLists(service);
        const { entries, found, next } = await service.lists.find(versions, entryQuery(query), request.signal);
        const items = entries.flatMap((one) => {
          const version = versions.find(({ name }) => name === one.list);
          if (version === undefined) return [];
          const { name: list, action, origin: owner } = version;
          return [{ list, action, owner, etag: etagOf(version), ...shownEntry(one) }];
        });
        return { found, entries: items, next_after: next };
      }),
    viewRoute(['lists'], {
      id: 'findListEntries',
      summary: 'Search the entries of all lists',
      description: 'Entries of all lists, which can be searched and sorted. Scope: `lists`.',
      query: EntryQuerySchema,
      answers: {
        200: answer(FoundEntriesSchema, {
          description: 'The entries.',
          example: {
            found: 1,
            entries: [
              { list: 'feed', action: 'block', owner: 'operator', etag: CREATED_EXAMPLE.etag, ...ENTRY_EXAMPLE },
            ],
            next_after: null,
          },
        }),
      },
      refuses: ['conflict'],
    }),
  )
  .get(
    '/api/admin/lists/:name',
    ({ params: { name }, query, request, set, service }) =>
      refusing(async () => {
        const version = await requireList(service, name);
        const { entries, found, next } = await service.lists.find([version], entryQuery(query), request.signal);
        const list = await listAnswer(version, service.lists);
        set.headers['etag'] = list.etag;
        return {
          ...list,
          total: version.entries,
          found,
          entries: entries.map(shownEntry),
          next_after: next,
        };
      }),
    viewRoute(['lists'], {
      id: 'readList',
      summary: 'Read a list',
      description: 'A list with some of its entries, which can be searched and sorted. Scope: `lists`.',
      params: NAME,
      query: EntryQuerySchema,
      answers: {
        200: answer(ListPageSchema, {
          description: 'The list.',
          headers: ['ETag'],
          example: {
            ...LIST_EXAMPLE,
            ...{ total: 120, found: 1 },
            entries: [ENTRY_EXAMPLE],
            next_after: null,
          },
        }),
      },
      refuses: ['not_found', 'conflict'],
    }),
  )
  .put(
    '/api/admin/lists/:name',
    ({ params: { name }, body, query: { preview }, request, service }) =>
      changedList(
        { request, service, preview },
        importOf(name, body, preview === 'true'),
        () => listTag(service, name),
        'content',
      ),
    actRoute(LIST_ACTS.import, {
      id: 'replaceList',
      summary: 'Replace the content of a list',
      description:
        'Imports a list over the present one, which a rollback brings back. Requires `If-Match`, but not with ' +
        '`preview=true`, which changes nothing. Scope: `lists`.',
      params: NAME,
      body: {
        description: 'JSON of at most 4 MiB; import larger lists with `lurecheck lists import`.',
        example: { content: 'evil.example\n' },
      },
      parse: parseListInJson,
      query: PreviewQuerySchema,
      ...CHANGED,
    }),
  )
  .delete(
    '/api/admin/lists/:name',
    ({ params: { name }, query: { preview }, request, service }) =>
      changedList({ request, service, preview }, { what: 'remove', list: name, entries: null }, () =>
        listTag(service, name),
      ),
    actRoute(
      { ...LIST_ACTS.remove, input: null },
      {
        id: 'removeList',
        summary: 'Remove a list',
        description:
          'A rollback brings it back. Requires `If-Match`, but not with `preview=true`, which changes nothing. Scope: `lists`.',
        params: NAME,
        query: PreviewQuerySchema,
        ...CHANGED,
      },
    ),
  )
  .get(
    '/api/admin/lists/:name/versions',
    ({ params: { name }, service }) =>
      refusing(async () => {
        const { lists, before } = await readListState(service.acts.place.dataDir);
        const states = [lists, ...before.map((state) => state.lists)];
        const all = states.flatMap((state) => state.filter((list) => list.name === name));
        const versions = [...Map.groupBy(all, ({ sha256 }) => sha256).values()].flatMap(([first]) => first ?? []);
        if (versions.length === 0) throw notFound(name);
        const active = lists.find((one) => one.name === name);
        const items = versions.map(({ sha256, changed_at, entries, source }) => ({
          ...{ version: sha256.slice(0, 16), created_at: changed_at, entries, source },
          active: sha256 === active?.sha256,
        }));
        return { items };
      }),
    viewRoute(['lists'], {
      id: 'listVersionsOfList',
      summary: 'List the versions of a list',
      description: 'The active version and those before it. Scope: `lists`.',
      params: NAME,
      answers: {
        200: answer(ListVersionsSchema, {
          description: 'The versions.',
          example: {
            items: [
              {
                version: '3f9a0c5b7d1e2f40',
                created_at: '2026-01-31T12:00:00.000Z',
                entries: 120,
                source: 'urlhaus.csv',
                active: true,
              },
            ],
          },
        }),
      },
      refuses: ['not_found', 'conflict'],
    }),
  )
  .post(
    '/api/admin/lists/:name/rollback',
    ({ params: { name }, query: { preview }, request, service }) =>
      changedList({ request, service, preview }, { what: 'rollback', list: name }, async () =>
        etagOf(await findList(service, name)),
      ),
    actRoute(LIST_ACTS.rollback, {
      id: 'rollBackList',
      summary: 'Roll a list back',
      description:
        'Restores the list before its last change, also a removed one. Requires `If-Match`, but not with `preview=true`. ' +
        'Scope: `lists`.',
      params: NAME,
      query: PreviewQuerySchema,
      ...CHANGED,
    }),
  )
  .post('/api/admin/list-sources/renew', async ({ service }) => ({ items: await service.renewSources() }), {
    parse: [admitScopes('lists'), noBody],
    beforeHandle: waitLong,
    response: {
      200: answer(SourcesSchema, {
        description: 'The sources after the attempt.',
        example: { items: [SOURCE_EXAMPLE] },
      }),
      ...refusals(...CONSOLE_REFUSALS, 'invalid_body'),
    },
    detail: {
      operationId: 'renewListSources',
      tags: ['Console'],
      summary: 'Try the list sources again',
      description:
        'Fetches and imports all scheduled list sources now, as SIGHUP does, and answers how each ended. ' +
        'Scope: `admin` or `lists`.',
    },
  });
