import type { Registry } from 'prom-client';
import { metersOf } from '#src/app/parts/meters.ts';

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
  const { counter, readGauge } = metersOf(registry);
  const mails = counter(
    'lurecheck_milter_mails_total',
    'Mails that a mail server asked about: the verdict on the worst link, or why the mail was not read.',
    'outcome',
  );
  const unexamined = counter(
    'lurecheck_milter_unexamined_total',
    'Mails that passed unexamined, as a whole or in part, by the cause.',
    'cause',
  );
  readGauge('lurecheck_milter_connections', 'Open connections of mail servers.', sources.connections);
  return {
    mailAnswered(outcome, cause) {
      mails.inc({ outcome });
      if (cause !== null) unexamined.inc({ cause });
    },
  };
}
