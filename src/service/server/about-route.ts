import { AboutSchema, type AboutService } from '#src/checks/record/about.ts';
import type { PeerContext } from '#src/core/base/addresses/client-address.ts';
import { EXAMPLES } from './docs/examples.ts';
import { answer } from './http/answer.ts';
import { refusals } from './http/refusals.ts';
import { ownHost, type SiteParts } from './http/request-site.ts';
import { routesWith } from './http/routes-with.ts';
import type { QuotaParts } from './limiter/counted.ts';

/** Dependencies of the route that describes the service. */
export interface AboutRouteParts extends QuotaParts, Pick<SiteParts, 'isOwnHost'> {
  /** Returns true if the client is on this host. */
  readonly isLocal: (context: PeerContext) => boolean;
  readonly about: () => Promise<AboutService>;
  /** Returns true if no key exists; false if the file of keys cannot be read. */
  readonly hasNoKeys: () => boolean;
}

/** `GET /api/about`: what the service is, and how much who asks may ask of it. */
export const aboutRoute = routesWith<AboutRouteParts>()
  .onTransform(ownHost)
  .get(
    '/api/about',
    async ({ request, server, service }) => {
      const { checksPerMinute, contact } = service.quota.allowanceOf({ request, server });
      const needs_first_key = service.hasNoKeys() && service.isLocal({ request, server });
      return { ...(await service.about()), checks_per_minute: checksPerMinute, contact, needs_first_key };
    },
    {
      response: {
        200: answer(AboutSchema, { description: 'The description.', example: EXAMPLES.about }),
        ...refusals('invalid_parameter', 'misdirected', 'internal'),
      },
      detail: {
        operationId: 'readAbout',
        tags: ['Health'],
        summary: 'Describe this service',
        description:
          'Version, model, network mode, limit of the client, active lists with their age, retention, and contact. The ' +
          'request is not limited.',
      },
    },
  );
