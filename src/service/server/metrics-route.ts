import { preferredType } from './http/negotiation.ts';
import { ownHost, type SiteParts } from './http/request-site.ts';
import { routesWith } from './http/routes-with.ts';
import type { QuotaContext } from './limiter/quota.ts';

export interface MetricsParts {
  /** The available media types; the first is for clients without a preference. */
  readonly mediaTypes: readonly [string, ...string[]];
  /** All of it in one of the formats. */
  text(mediaType: string): Promise<string>;
}

export interface MetricsRouteParts extends Pick<SiteParts, 'isOwnHost'> {
  readonly metrics: () => Promise<MetricsParts>;
  /** Refuses clients that may not read the metrics; throws ProblemError. */
  readonly readMetrics: (context: QuotaContext) => void | Promise<void>;
}

/** `GET /metrics`, for the operator. */
export const metricsRoute = routesWith<MetricsRouteParts>()
  .onTransform(ownHost)
  .get(
    '/metrics',
    async ({ request, service }) => {
      const { mediaTypes, text } = await service.metrics();
      const mediaType = preferredType(request.headers.get('accept'), mediaTypes);
      return new Response(await text(mediaType), { headers: { 'content-type': mediaType, vary: 'accept' } });
    },
    {
      transform: ({ request, server, set, service }) => service.readMetrics({ request, server, set }),
      detail: { hide: true },
    },
  );
