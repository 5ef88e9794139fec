import { Type } from '@sinclair/typebox';
import type { ListChange } from '#src/admin/lists/list-change.ts';
import { NewEntrySchema, RemovalSchema, TestedUrlSchema } from '#src/admin/lists/list-inputs.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { answer } from '../http/answer.ts';
import { documented } from '../http/documented.ts';
import { noBody, parseJsonObject, parseListInJson } from '../http/json-body.ts';
import { parameter } from '../http/parameter.ts';
import { badFields, ProblemError } from '../http/problem.ts';
import { readQuery } from '../http/query.ts';
import { refusals } from '../http/refusals.ts';
import { routesWith } from '../http/routes-with.ts';
import { BODY_REFUSALS, CONSOLE_REFUSALS } from './admin-refusals.ts';
import { ChangedListSchema, ListMatchesSchema } from './answers/list-answer.ts';
import { PreviewedChangeSchema } from './answers/preview-answer.ts';
import { PREVIEW, PreviewQuerySchema, refusing, waitLong } from './change-parts.ts';
import {
  admitLists,
  CHANGED,
  CREATED_EXAMPLE,
  changedNow,
  effectOf,
  instant,
  type ListRouteParts,
  NAME,
  removal,
} from './list-changes.ts';
import { actorOf } from './requester.ts';
import { PREVIEWED_CHANGE } from './verdict-preview.ts';

/** `/api/admin/lists`: entries, and the test of a URL. */
export const listEntryRoutes = routesWith<ListRouteParts>()
  .post(
    '/api/admin/lists/test',
    ({ body, service }) =>
      refusing(async () => {
        const url = /^[a-z][a-z\d+.-]*:\/\//i.test(body.url) ? body.url : `http://${body.url}`;
        const target = parseTarget(url);
        if (isTargetProblem(target))
          throw new ProblemError(badFields([{ field: 'url', code: target.code, message: target.message }]));
        const { decision, entries } = await service.lists.test(target);
        const matches = entries.map(({ version: { name: list, action, weight }, row }) => ({
          ...{ list, action, weight, entry: row.entry, expires: instant(row.expiresAt) },
          applied: row.quarantine === null && !row.isException,
        }));
        return { matches, decision };
      }),
    {
      parse: [admitLists, parseJsonObject],
      body: documented(TestedUrlSchema, {
        description: 'JSON of at most 32 KiB.',
        example: { url: 'https://partner.example/login' },
      }),
      response: {
        200: answer(ListMatchesSchema, {
          description: 'What the lists say.',
          example: {
            matches: [
              { list: 'ours', entry: 'partner.example', action: 'allow', weight: null, expires: null, applied: true },
            ],
            decision: 'allow',
          },
        }),
        ...refusals(
          ...BODY_REFUSALS,
          ...CONSOLE_REFUSALS,
          'invalid_url',
          'unsupported_scheme',
          'url_too_long',
          'conflict',
        ),
      },
      detail: {
        operationId: 'testLists',
        tags: ['Console'],
        summary: 'Test a URL against the lists',
        description:
          'The entries that cover a URL, also those that are not applied. Nothing is logged. Scope: `lists`.',
      },
    },
  )
  .post(
    '/api/admin/lists/:name/entries',
    ({ params: { name }, body, query, request, set, service }) =>
      refusing(async () => {
        const { entry, action = null, expires = null, comment = null } = body;
        const items = [{ value: entry, comment, line: 1, expiresAtMs: null, source: null, isException: false }];
        const expiresAtMs = expires === null ? null : Date.parse(expires);
        const change: ListChange = { what: 'add', list: name, action, source: null, items, expiresAtMs };
        if (query.preview === 'true') return await effectOf(service, change);
        return await service.inTurn(async () => {
          const changed = await changedNow(service, actorOf(request), change);
          set.status = 201;
          return changed;
        });
      }, 'entry'),
    {
      parse: [admitLists, parseJsonObject],
      transform: readQuery,
      beforeHandle: waitLong,
      params: NAME,
      query: PreviewQuerySchema,
      body: documented(NewEntrySchema, {
        description: 'JSON of at most 32 KiB.',
        example: { entry: 'partner.example', action: 'allow', comment: 'ticket 4711' },
      }),
      response: {
        200: answer(PreviewedChangeSchema, {
          description: 'With `preview=true`: the effect; nothing was changed.',
          example: PREVIEWED_CHANGE,
        }),
        201: answer(ChangedListSchema, { description: 'The entry is active.', example: CREATED_EXAMPLE }),
        ...refusals(...BODY_REFUSALS, ...CONSOLE_REFUSALS, 'conflict'),
      },
      detail: {
        operationId: 'addListEntry',
        tags: ['Console'],
        summary: 'Add an entry to a list',
        description: 'Creates the list if there is none of this name. Scope: `lists`.',
      },
    },
  )
  .delete(
    '/api/admin/lists/:name/entries',
    ({ params: { name }, query: { entry, preview }, request, service }) =>
      removal(service, request, name, { named: [entry] }, preview === 'true'),
    {
      parse: [admitLists, noBody],
      transform: readQuery,
      beforeHandle: waitLong,
      params: NAME,
      query: Type.Object({
        ...PREVIEW,
        entry: parameter<string>('an entry of the list', (text) => text !== '', {
          description: 'The entry to remove',
          examples: ['partner.example'],
        }),
      }),
      response: CHANGED,
      detail: {
        operationId: 'removeListEntry',
        tags: ['Console'],
        summary: 'Remove an entry from a list',
        description: 'Requires `If-Match` of the list, but not with `preview=true`. Scope: `lists`.',
      },
    },
  )
  .post(
    '/api/admin/lists/:name/removals',
    async ({ params: { name }, body: { entries, search }, query, request, service }) => {
      const choices = [...(entries ? [{ named: entries }] : []), ...(search ? [{ matching: search }] : [])];
      const [choice] = choices;
      if (choice === undefined || choices.length > 1) {
        const message = 'must be given, or search, but not both';
        throw new ProblemError(badFields([{ field: 'entries', code: 'invalid_body', message }]));
      }
      return await removal(service, request, name, choice, query.preview === 'true');
    },
    {
      parse: [admitLists, parseListInJson],
      transform: readQuery,
      beforeHandle: waitLong,
      params: NAME,
      query: PreviewQuerySchema,
      body: documented(RemovalSchema, {
        description: 'JSON of at most 4 MiB.',
        example: { entries: ['partner.example', 'other.example'] },
      }),
      response: CHANGED,
      detail: {
        operationId: 'removeListEntries',
        tags: ['Console'],
        summary: 'Remove entries from a list',
        description:
          'Removes several entries at once, by name or all that a text finds. A rollback with the `etag` of the answer takes ' +
          'exactly this back. Requires `If-Match` of the list, but not with `preview=true`. Scope: `lists`.',
      },
    },
  );
