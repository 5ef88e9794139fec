import { Elysia } from 'elysia';
import { AboutSchema, type AboutService } from '#src/checks/record/about.ts';
import { EXAMPLES } from './docs/examples.ts';
import { answer } from './http/answer.ts';
import { refusals } from './http/refusals.ts';
import type { RequestGuard } from './http/request-site.ts';
import type { Quota } from './limiter/quota.ts';

/** What the route that tells of the service works with. */
export interface AboutRouteParts {
  readonly about: () => AboutService;
  readonly ownHost: RequestGuard;
  readonly quota: Quota;
}

/** `GET /api/about`: what the service is, and how much who asks may ask of it. */
export function aboutRoute({ about, ownHost, quota }: AboutRouteParts) {
  return new Elysia({ normalize: false }).onTransform(ownHost).get(
    '/api/about',
    ({ request, server }) => {
      const { checksPerMinute, contact } = quota.allowanceOf({ request, server });
      return { ...about(), checks_per_minute: checksPerMinute, contact };
    },
    {
      response: {
        200: answer(AboutSchema, { description: 'What it is.', example: EXAMPLES.about }),
        ...refusals('invalid_parameter', 'misdirected', 'internal'),
      },
      detail: {
        operationId: 'readAbout',
        tags: ['Health'],
        summary: 'What is this service?',
        description:
          'Its version, its model, what a check may use, the limit of who asks, the lists in force with their age, how long ' +
          'checks stay, and whom to ask. Counts for no limit.',
      },
    },
  );
}
