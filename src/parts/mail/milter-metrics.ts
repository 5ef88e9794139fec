import { Counter, Gauge, type Registry } from 'prom-client';

/** Takes measurements of the milter. */
export interface MilterMetrics {
  /** Counts a mail; the cause is null unless it passed unexamined, or a part of it. */
  mailAnswered(outcome: string, unexaminedCause: string | null): void;
}

/** Sources of the milter's metrics, read at each scrape. */
export interface MilterSources {
  connections(): number;
}

/** Registers the metrics of the milter. */
export function milterMetrics(registry: Registry, sources: MilterSources): MilterMetrics {
  const registers = [registry];
  const mails = new Counter({
    name: 'lurecheck_milter_mails_total',
    help: 'Mails that a mail server asked about: the verdict on the worst link, or why the mail was not read.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const unexamined = new Counter({
    name: 'lurecheck_milter_unexamined_total',
    help: 'Mails that passed unexamined, as a whole or in part, by the cause.',
    labelNames: ['cause'] as const,
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
  return {
    mailAnswered(outcome, cause) {
      mails.inc({ outcome });
      if (cause !== null) unexamined.inc({ cause });
    },
  };
}
