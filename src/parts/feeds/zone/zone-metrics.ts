import type { Registry } from 'prom-client';
import { metersOf } from '#src/app/parts/meters.ts';

/** Takes measurements of the zone transfer. */
export interface ZoneMetrics {
  zoneAnswered(outcome: string): void;
  zoneNotified(outcome: string): void;
}

/** Sources of the zone transfer's metrics, read at each scrape. */
interface ZoneSources {
  connections(): number;
}

/** Registers the metrics of the zone transfer. */
export function zoneMetrics(registry: Registry, sources: ZoneSources): ZoneMetrics {
  const { counter, readGauge } = metersOf(registry);
  const queries = counter(
    'lurecheck_zone_queries_total',
    'Queries of name servers by their outcome: a serial, a transfer, nothing new, or why they were refused.',
    'outcome',
  );
  const notifies = counter(
    'lurecheck_zone_notifies_total',
    'Name servers that were notified of a version of the zone, by whether they acknowledged it.',
    'outcome',
  );
  readGauge('lurecheck_zone_connections', 'Open connections of name servers.', sources.connections);
  return {
    zoneAnswered: (outcome) => queries.inc({ outcome }),
    zoneNotified: (outcome) => notifies.inc({ outcome }),
  };
}
