import { Counter, Gauge, type Registry } from 'prom-client';

/** Takes measurements of the milter. */
export interface MilterMetrics {
  mailAnswered(outcome: string): void;
}

/** What the metrics of the milter are read from, at each scrape. */
export interface MilterSources {
  connections(): number;
}

/** Registers the metrics of the milter; none if it is closed. */
export function milterMetrics(registry: Registry, sources: MilterSources | null): MilterMetrics {
  if (sources === null) return { mailAnswered() {} };
  const registers = [registry];
  const mails = new Counter({
    name: 'lurecheck_milter_mails_total',
    help: 'Mails that a mail server asked about: the verdict on the worst link, or why the mail was not read.',
    labelNames: ['outcome'] as const,
    registers,
  });
  new Gauge({
    name: 'lurecheck_milter_connections',
    help: 'Open connections of mail servers.',
    registers,
    collect() {
      this.set(sources.connections());
    },
  });
  return { mailAnswered: (outcome) => mails.inc({ outcome }) };
}
