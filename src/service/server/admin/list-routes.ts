import type { ListChange } from '#src/admin/lists/list-change.ts';
import { ListContentSchema, NewListSchema } from '#src/admin/lists/list-inputs.ts';
import { answer } from '../http/answer.ts';
import { documented } from '../http/documented.ts';
import { noBody, parseListInJson } from '../http/json-body.ts';
import { ProblemError } from '../http/problem.ts';
import { readQuery } from '../http/query.ts';
import { refusals } from '../http/refusals.ts';
import { routesWith } from '../http/routes-with.ts';
import { BODY_REFUSALS, CONSOLE_REFUSALS } from './admin-refusals.ts';
import {
  ChangedListSchema,
  FoundEntriesSchema,
  ListPageSchema,
  ListsSchema,
  ListVersionsSchema,
} from './answers/list-answer.ts';
import { PreviewedChangeSchema } from './answers/preview-answer.ts';
import { PreviewQuerySchema, refusing, waitLong } from './change-parts.ts';
import { EntryQuerySchema, entryQuery } from './entry-query.ts';
import { etagOf, requireMatch } from './if-match.ts';
import {
  admitLists,
  CHANGED,
  CREATED_EXAMPLE,
  changedNow,
  ENTRY_EXAMPLE,
  effectOf,
  findList,
  importOf,
  LIST_EXAMPLE,
  type ListRouteParts,
  listAnswer,
  NAME,
  notFound,
  removal,
  shownEntry,
} from './list-changes.ts';
import { actorOf } from './requester.ts';
import { PREVIEWED_CHANGE } from './verdict-preview.ts';

/** `/api/admin/lists`: lists, imports and versions. */
export const listRoutes = routesWith<ListRouteParts>()
  .get(
    '/api/admin/lists',
    ({ service: { lists } }) =>
      refusing(async () => ({ items: await Promise.all((await lists.list()).map((one) => listAnswer(one, lists))) })),
    {
      transform: admitLists,
      response: {
        200: answer(ListsSchema, { description: 'The lists.', example: { items: [LIST_EXAMPLE] } }),
        ...refusals(...CONSOLE_REFUSALS, 'conflict'),
      },
      detail: {
        operationId: 'listLists',
        tags: ['Console'],
        summary: 'List the lists',
        description: 'The lists of the operator, of feedback, of sources and of packs. Scope: `lists`.',
      },
    },
  )
  .post(
    '/api/admin/lists',
    ({ body: { name, ...content }, query, request, set, service }) =>
      refusing(async () => {
        const refuseTaken = async () => {
          if ((await service.lists.list()).some((one) => one.name === name))
            throw new ProblemError({ code: 'conflict', detail: `There is a list named "${name}" already.` });
        };
        await refuseTaken();
        const change = importOf(name, content);
        if (query.preview === 'true') return await effectOf(service, change);
        return await service.inTurn(async () => {
          await refuseTaken();
          const created = await changedNow(service, actorOf(request), change);
          set.status = 201;
          return created;
        });
      }, 'content'),
    {
      parse: [admitLists, parseListInJson],
      transform: readQuery,
      beforeHandle: waitLong,
      query: PreviewQuerySchema,
      body: documented(NewListSchema, {
        description: 'JSON of at most 4 MiB; import larger lists with `lurecheck lists import`.',
        example: { name: 'feed', content: 'evil.example\nbad.example\n', action: 'block' },
      }),
      response: {
        200: answer(PreviewedChangeSchema, {
          description: 'With `preview=true`: the effect; nothing was changed.',
          example: PREVIEWED_CHANGE,
        }),
        201: answer(ChangedListSchema, { description: 'The list is active.', example: CREATED_EXAMPLE }),
        ...refusals(...BODY_REFUSALS, ...CONSOLE_REFUSALS, 'conflict'),
      },
      detail: {
        operationId: 'createList',
        tags: ['Console'],
        summary: 'Create a list',
        description:
          'Imports a list under a new name. With `preview=true` the latest public checks are scored again, and nothing is ' +
          'changed. 409 if there is a list of this name. Scope: `lists`.',
      },
    },
  )
  .get(
    '/api/admin/list-entries',
    ({ query, request, service: { lists } }) =>
      refusing(async () => {
        const versions = await lists.list();
        const { entries, found, next } = await lists.find(versions, entryQuery(query), request.signal);
        const items = entries.flatMap((one) => {
          const version = versions.find(({ name }) => name === one.list);
          if (version === undefined) return [];
          const { name: list, action, origin: owner } = version;
          return [{ list, action, owner, etag: etagOf(version), ...shownEntry(one) }];
        });
        return { found, entries: items, next_after: next };
      }),
    {
      transform: [admitLists, readQuery],
      query: EntryQuerySchema,
      response: {
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
        ...refusals(...CONSOLE_REFUSALS, 'conflict'),
      },
      detail: {
        operationId: 'findListEntries',
        tags: ['Console'],
        summary: 'Search the entries of all lists',
        description: 'Entries of all lists, which can be searched and sorted. Scope: `lists`.',
      },
    },
  )
  .get(
    '/api/admin/lists/:name',
    ({ params: { name }, query, request, set, service: { lists } }) =>
      refusing(async () => {
        const version = await findList(lists, name);
        const { entries, found, next } = await lists.find([version], entryQuery(query), request.signal);
        const list = await listAnswer(version, lists);
        set.headers['etag'] = list.etag;
        return {
          ...list,
          total: version.entries,
          found,
          entries: entries.map(shownEntry),
          next_after: next,
        };
      }),
    {
      transform: [admitLists, readQuery],
      params: NAME,
      query: EntryQuerySchema,
      response: {
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
        ...refusals(...CONSOLE_REFUSALS, 'not_found', 'conflict'),
      },
      detail: {
        operationId: 'readList',
        tags: ['Console'],
        summary: 'Read a list',
        description: 'A list with some of its entries, which can be searched and sorted. Scope: `lists`.',
      },
    },
  )
  .put(
    '/api/admin/lists/:name',
    ({ params: { name }, body, query, request, service }) =>
      refusing(async () => {
        await findList(service.lists, name);
        const change = importOf(name, body);
        if (query.preview === 'true') return await effectOf(service, change);
        return await service.inTurn(async () => {
          requireMatch(request, etagOf(await findList(service.lists, name)));
          return await changedNow(service, actorOf(request), change);
        });
      }, 'content'),
    {
      parse: [admitLists, parseListInJson],
      transform: readQuery,
      beforeHandle: waitLong,
      params: NAME,
      query: PreviewQuerySchema,
      body: documented(ListContentSchema, {
        description: 'JSON of at most 4 MiB; import larger lists with `lurecheck lists import`.',
        example: { content: 'evil.example\n' },
      }),
      response: CHANGED,
      detail: {
        operationId: 'replaceList',
        tags: ['Console'],
        summary: 'Replace the content of a list',
        description:
          'Imports a list over the present one, which a rollback brings back. Requires `If-Match`, but not with ' +
          '`preview=true`, which changes nothing. Scope: `lists`.',
      },
    },
  )
  .delete(
    '/api/admin/lists/:name',
    ({ params: { name }, query, request, service }) => removal(service, request, name, null, query.preview === 'true'),
    {
      parse: [admitLists, noBody],
      transform: readQuery,
      beforeHandle: waitLong,
      params: NAME,
      query: PreviewQuerySchema,
      response: CHANGED,
      detail: {
        operationId: 'removeList',
        tags: ['Console'],
        summary: 'Remove a list',
        description:
          'A rollback brings it back. Requires `If-Match`, but not with `preview=true`, which changes nothing. Scope: `lists`.',
      },
    },
  )
  .get(
    '/api/admin/lists/:name/versions',
    ({ params: { name }, service: { lists } }) =>
      refusing(async () => {
        const versions = await lists.versions(name);
        if (versions.length === 0) throw notFound(name);
        const active = (await lists.list()).find((one) => one.name === name);
        const items = versions.map(({ sha256, changed_at, entries, source }) => ({
          ...{ version: sha256.slice(0, 16), created_at: changed_at, entries, source },
          active: sha256 === active?.sha256,
        }));
        return { items };
      }),
    {
      transform: admitLists,
      params: NAME,
      response: {
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
        ...refusals(...CONSOLE_REFUSALS, 'not_found', 'conflict'),
      },
      detail: {
        operationId: 'listVersionsOfList',
        tags: ['Console'],
        summary: 'List the versions of a list',
        description: 'The active version and those before it. Scope: `lists`.',
      },
    },
  )
  .post(
    '/api/admin/lists/:name/rollback',
    ({ params: { name }, query, request, service }) =>
      refusing(async () => {
        const change: ListChange = { what: 'rollback', list: name };
        if (query.preview === 'true') return await effectOf(service, change);
        return await service.inTurn(async () => {
          const version = (await service.lists.list()).find((one) => one.name === name);
          requireMatch(request, etagOf(version ?? null));
          return await changedNow(service, actorOf(request), change);
        });
      }),
    {
      parse: [admitLists, noBody],
      transform: readQuery,
      beforeHandle: waitLong,
      params: NAME,
      query: PreviewQuerySchema,
      response: CHANGED,
      detail: {
        operationId: 'rollBackList',
        tags: ['Console'],
        summary: 'Roll a list back',
        description:
          'Restores the list before its last change, also a removed one. Requires `If-Match`, but not with `preview=true`. ' +
          'Scope: `lists`.',
      },
    },
  );
