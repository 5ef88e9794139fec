import type { WithService } from '../http/routes-with.ts';
import type { Quota, QuotaContext } from './quota.ts';

export interface QuotaParts {
  readonly quota: Quota;
}

/** The context of a hook that counts. */
export type CountedContext = QuotaContext & WithService<QuotaParts>;

// Hooks take their context apart at once; Elysia reads their text.
/** See {@link Quota.takePlace}. */
export const takePlace = ({ request, server, set, service }: CountedContext) =>
  service.quota.takePlace({ request, server, set });

/** See {@link Quota.takeFirstPlace}. */
export const takeFirstPlace = ({ request, server, set, service }: CountedContext) =>
  service.quota.takeFirstPlace({ request, server, set });

/** See {@link Quota.takeFeedbackPlace}. */
export const takeFeedbackPlace = ({ request, server, set, service }: CountedContext) =>
  service.quota.takeFeedbackPlace({ request, server, set });
