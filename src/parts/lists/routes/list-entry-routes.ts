import { Type } from '@sinclair/typebox';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { actRoute } from '#src/service/server/admin/act-route.ts';
import { BODY_REFUSALS, PREVIEW, PreviewQuerySchema, refusing } from '#src/service/server/admin/change-parts.ts';
import { answer } from '#src/service/server/http/answer.ts';
import { parseListInJson } from '#src/service/server/http/json-body.ts';
import { parameter } from '#src/service/server/http/parameter.ts';
import { badFields, ProblemError } from '#src/service/server/http/problem.ts';
import { routesWith } from '#src/service/server/http/routes-with.ts';
import { LIST_ACTS } from '../list-acts.ts';
import { TestedUrlSchema } from '../list-inputs.ts';
import { ListMatchesSchema } from './list-answer.ts';
import { CHANGED, CREATED, changedList, instant, type ListRouteParts, listTag, NAME } from './list-changes.ts';

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
    actRoute(
      { scope: 'lists', input: TestedUrlSchema },
      {
        id: 'testLists',
        summary: 'Test a URL against the lists',
        description:
          'The entries that cover a URL, also those that are not applied. Nothing is logged. Scope: `lists`.',
        body: {
          description: 'JSON of at most 32 KiB.',
          example: { url: 'https://partner.example/login' },
        },
        answers: {
          200: answer(ListMatchesSchema, {
            description: 'What the lists say.',
            example: {
              matches: [
                { list: 'ours', entry: 'partner.example', action: 'allow', weight: null, expires: null, applied: true },
              ],
              decision: 'allow',
            },
          }),
        },
        refuses: [...BODY_REFUSALS, 'invalid_url', 'unsupported_scheme', 'url_too_long', 'conflict'],
      },
    ),
  )
  .post(
    '/api/admin/lists/:name/entries',
    ({ params: { name }, body, query: { preview }, request, set, service }) => {
      const { entry, action = null, expires = null, comment = null } = body;
      const items = [{ value: entry, comment, line: 1, expiresAtMs: null, source: null, isException: false }];
      const expiresAtMs = expires === null ? null : Date.parse(expires);
      const change = { what: 'add', list: name, action, source: null, items, expiresAtMs } as const;
      return changedList({ request, service, preview, set }, change, undefined, 'entry');
    },
    actRoute(LIST_ACTS.add, {
      id: 'addListEntry',
      summary: 'Add an entry to a list',
      description: 'Creates the list if there is none of this name. Scope: `lists`.',
      params: NAME,
      body: {
        description: 'JSON of at most 32 KiB.',
        example: { entry: 'partner.example', action: 'allow', comment: 'ticket 4711' },
      },
      query: PreviewQuerySchema,
      ...CREATED('The entry is active.'),
    }),
  )
  .delete(
    '/api/admin/lists/:name/entries',
    ({ params: { name }, query: { entry, preview }, request, service }) =>
      changedList({ request, service, preview }, { what: 'remove', list: name, entries: { named: [entry] } }, () =>
        listTag(service, name),
      ),
    actRoute(
      { ...LIST_ACTS.remove, input: null },
      {
        id: 'removeListEntry',
        summary: 'Remove an entry from a list',
        description: 'Requires `If-Match` of the list, but not with `preview=true`. Scope: `lists`.',
        params: NAME,
        query: Type.Object({
          ...PREVIEW,
          entry: parameter<string>('an entry of the list', (text) => text !== '', {
            description: 'The entry to remove',
            examples: ['partner.example'],
          }),
        }),
        ...CHANGED,
      },
    ),
  )
  .post(
    '/api/admin/lists/:name/removals',
    ({ params: { name }, body: { entries: named, search }, query: { preview }, request, service }) => {
      const choices = [...(named ? [{ named }] : []), ...(search ? [{ matching: search }] : [])];
      const [entries] = choices;
      if (entries === undefined || choices.length > 1) {
        const message = 'must be given, or search, but not both';
        throw new ProblemError(badFields([{ field: 'entries', code: 'invalid_body', message }]));
      }
      return changedList({ request, service, preview }, { what: 'remove', list: name, entries }, () =>
        listTag(service, name),
      );
    },
    actRoute(LIST_ACTS.remove, {
      id: 'removeListEntries',
      summary: 'Remove entries from a list',
      description:
        'Removes several entries at once, by name or all that a text finds. A rollback with the `etag` of the answer takes ' +
        'exactly this back. Requires `If-Match` of the list, but not with `preview=true`. Scope: `lists`.',
      params: NAME,
      body: {
        description: 'JSON of at most 4 MiB.',
        example: { entries: ['partner.example', 'other.example'] },
      },
      parse: parseListInJson,
      query: PreviewQuerySchema,
      ...CHANGED,
    }),
  );
