import { Elysia } from 'elysia';
import { preferredType } from './http/negotiation.ts';
import type { QuotaContext } from './limiter/quota.ts';

/** Where the metrics come from. */
export interface MetricsParts {
  /** The media types of the formats that there are; the first is for whoever does not care. */
  readonly mediaTypes: readonly [string, ...string[]];
  /** All of it in one of the formats. */
  text(mediaType: string): Promise<string>;
}

/** What the route of the metrics works with. */
export interface MetricsRouteParts {
  readonly metrics: () => Promise<MetricsParts>;
  /** Refuses whoever the metrics are not for; throws ProblemError. */
  readonly readMetrics: (context: QuotaContext) => void | Promise<void>;
}

/** `GET /metrics`, for the operator. */
export function metricsRoute({ metrics, readMetrics }: MetricsRouteParts) {
  return new Elysia({ normalize: false }).get(
    '/metrics',
    async ({ request }) => {
      const { mediaTypes, text } = await metrics();
      const mediaType = preferredType(request.headers.get('accept'), mediaTypes);
      return new Response(await text(mediaType), { headers: { 'content-type': mediaType, vary: 'accept' } });
    },
    { transform: readMetrics, detail: { hide: true } },
  );
}
