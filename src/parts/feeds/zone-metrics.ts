import { Counter, Gauge, type Registry } from 'prom-client';

/** Takes measurements of the zone transfer. */
export interface ZoneMetrics {
  zoneAnswered(outcome: string): void;
  zoneNotified(outcome: string): void;
}

/** Sources of the zone transfer's metrics, read at each scrape. */
export interface ZoneSources {
  connections(): number;
}

/** Registers the metrics of the zone transfer. */
export function zoneMetrics(registry: Registry, sources: ZoneSources): ZoneMetrics {
  const registers = [registry];
  const queries = new Counter({
    name: 'lurecheck_zone_queries_total',
    help: 'Queries of name servers by their outcome: a serial, a transfer, nothing new, or why they were refused.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const notifies = new Counter({
    name: 'lurecheck_zone_notifies_total',
    help: 'Name servers that were notified of a version of the zone, by whether they acknowledged it.',
    labelNames: ['outcome'] as const,
    registers,
  });
  new Gauge({
    name: 'lurecheck_zone_connections',
    help: 'Open connections of name servers.',
    registers,
    collect() {
      this.set(sources.connections());
    },
  });
  return {
    zoneAnswered: (outcome) => queries.inc({ outcome }),
    zoneNotified: (outcome) => notifies.inc({ outcome }),
  };
}
