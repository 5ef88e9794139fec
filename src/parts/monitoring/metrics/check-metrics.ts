import type { Registry } from 'prom-client';
import { metersOf } from '#src/app/parts/meters.ts';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import type { FailureCode } from '#src/core/base/failure.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import {
  HOST_PROBE_NAMES,
  type HostObservations,
  type Observation,
  type Observations,
} from '#src/network/probes/observations.ts';

/** Upper bounds in seconds: a check without a network takes a millisecond, one with it at most its deadline of some seconds. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Kinds of egress refusals by failure code. */
const REFUSALS: Partial<Record<FailureCode, string>> = {
  egress_denied: 'address',
  egress_denied_name: 'name',
  egress_denied_mixed: 'mixed_name',
};

/** A check that was answered, or would have been had who asked waited. */
interface MeasuredCheck {
  readonly visibility: Visibility;
  readonly result: Pick<CheckResult, 'decision' | 'analysis_details'>;
  /** Seconds until its record was on disk. */
  readonly logSeconds: number;
}

/** Metrics of checks. */
export interface CheckMetrics {
  checked(check: MeasuredCheck): void;
  /** Counts a check whose client disconnected before the response. */
  undelivered(): void;
  /** Counts a message that was answered and logged. */
  messageChecked(message: Pick<MeasuredCheck, 'visibility'> & Pick<CheckResult, 'decision'>): void;
  /** Counts the observations of a check. */
  looked(observations: Observations): void;
}

/** Registers the metrics of checks. */
export function checkMetrics(registry: Registry): CheckMetrics {
  const { counter, histogram } = metersOf(registry);
  const checks = counter(
    'lurecheck_checks_total',
    'Checks that were answered and logged.',
    'visibility',
    'decision',
    'check_coverage',
  );
  const messages = counter(
    'lurecheck_messages_total',
    'Messages that were answered and logged; their links are checks of their own.',
    'visibility',
    'decision',
  );
  const undelivered = counter(
    'lurecheck_checks_undelivered_total',
    'Checks whose client was gone before the answer was written.',
  );
  const whole = histogram(
    'lurecheck_check_duration_seconds',
    'How long checks took, from the request until the record was on disk.',
    SECONDS,
  );
  const stages = histogram(
    'lurecheck_check_stage_duration_seconds',
    'How long the stages of checks took: observe (waiting for a turn included), assess, log.',
    SECONDS,
    'stage',
  );
  const probes = counter(
    'lurecheck_probes_total',
    'Probes of hosts and pages by result: observed, why it was skipped, or how it failed.',
    'probe',
    'outcome',
  );
  const refusals = counter(
    'lurecheck_egress_refusals_total',
    'Looks that the egress policy did not allow: at an address, at a name that leads to one, at a name that leads to both kinds.',
    'kind',
  );

  function count(probe: string, observation: Observation<unknown>): void {
    probes.inc({ probe, outcome: outcomeOf(observation) });
    const kind = observation.state === 'failed' && REFUSALS[observation.failure.code];
    if (kind) refusals.inc({ kind });
  }
  function countHost(seen: HostObservations): void {
    for (const name of HOST_PROBE_NAMES) count(name, seen[name]);
  }

  return {
    checked({ visibility, result: { decision, analysis_details: details }, logSeconds }) {
      checks.inc({ visibility, decision, check_coverage: details.coverage });
      whole.observe(details.analysis_time + logSeconds);
      for (const [stage, seconds] of Object.entries(details.timings)) stages.observe({ stage }, seconds);
      stages.observe({ stage: 'log' }, logSeconds);
    },
    messageChecked: ({ visibility, decision }) => messages.inc({ visibility, decision }),
    undelivered: () => undelivered.inc(),
    looked({ page, landing, ...target }) {
      countHost(target);
      count('page', page);
      if (landing) countHost(landing);
    },
  };
}

function outcomeOf(observation: Observation<unknown>): string {
  if (observation.state === 'observed') return observation.state;
  return observation.state === 'failed' ? observation.failure.code : observation.reason;
}
