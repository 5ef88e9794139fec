import { type Static, Type } from '@sinclair/typebox';
import type { FailureCode } from '#src/core/base/failure.ts';
import type { Observation, SkipReason } from '#src/network/probes/observations.ts';
import { stringEnum } from './string-enum.ts';

const MEANINGS = {
  ok: 'found; the members below have the answer',
  not_found: 'there is no such record, or only one that leads to an address which the egress policy does not allow',
  timeout: 'no answer within the time allowed',
  unreachable: 'the server is unreachable, or lookups of this kind are suspended after repeated failures',
  refused_by_policy: 'the egress policy does not allow the lookup',
  not_applicable: 'the URL gives nothing to look up',
  disabled: 'disabled by a setting',
  error: 'the answer could not be used',
} as const;

/** Status of a lookup in the API. */
export type LookupStatus = keyof typeof MEANINGS;

/** Status of a failed or skipped lookup in the API. */
export type MissedStatus = Exclude<LookupStatus, 'ok'>;

const statuses = Object.keys(MEANINGS) as LookupStatus[];

const isMissed = (status: LookupStatus): status is MissedStatus => status !== 'ok';

const missed = statuses.filter(isMissed);

/** Schema of the statuses of failed or skipped lookups. */
export const MissedStatusSchema = stringEnum<MissedStatus>(missed, {
  $id: 'MissedStatus',
  description: missed.map((status) => `\`${status}\`: ${MEANINGS[status]}`).join('; '),
});

/** Schema of an unavailable component, with the reason. */
export const UnavailableSchema = Type.Object(
  {
    component: Type.String({ description: 'Component that had nothing to classify', examples: ['page'] }),
    reason: MissedStatusSchema,
  },
  { $id: 'Unavailable', additionalProperties: false, description: 'A component that could not be observed, and why' },
);

export type Unavailable = Static<typeof UnavailableSchema>;

const OF_FAILURE: Record<FailureCode, MissedStatus> = {
  dns_nxdomain: 'not_found',
  dns_no_data: 'not_found',
  dns_server_failure: 'error',
  dns_refused: 'error',
  dns_malformed: 'error',
  dns_chain_too_long: 'error',
  connection_refused: 'unreachable',
  connection_reset: 'error',
  unreachable: 'unreachable',
  timeout: 'timeout',
  aborted: 'timeout',
  tls_handshake_failed: 'error',
  proxy_failed: 'unreachable',
  egress_denied: 'refused_by_policy',
  egress_denied_name: 'refused_by_policy',
  egress_denied_mixed: 'refused_by_policy',
  too_many_redirects: 'error',
  redirect_invalid: 'error',
  response_malformed: 'error',
  response_header_too_large: 'error',
  response_too_large: 'error',
  content_undecodable: 'error',
  content_unread: 'error',
  registration_not_found: 'not_found',
  registration_no_server: 'not_applicable',
  registration_refused: 'error',
  parser_budget_exceeded: 'error',
  overloaded: 'unreachable',
  internal_error: 'error',
};

const OF_SKIP: Record<SkipReason, MissedStatus> = {
  not_applicable: 'not_applicable',
  disabled: 'disabled',
  circuit_open: 'unreachable',
};

/** Maps a failed or skipped observation to its API status; the only such mapping. */
export function missedStatus(observation: Exclude<Observation<unknown>, { readonly state: 'observed' }>): MissedStatus {
  return observation.state === 'failed' ? OF_FAILURE[observation.failure.code] : OF_SKIP[observation.reason];
}

/** Returns the status of any observation. */
export function lookupStatus(observation: Observation<unknown>): LookupStatus {
  return observation.state === 'observed' ? 'ok' : missedStatus(observation);
}

/** A disabled lookup as answers have it. Records share the object, so that the packer recognizes it at once. */
export const DISABLED_LOOKUP: { readonly status: 'disabled' } = { status: 'disabled' };

/** `unavailable` of a check that looks nothing up, likewise. */
export const DISABLED_COMPONENTS: Unavailable[] = ['page', 'dns', 'registration', 'certificate', 'lists'].map(
  (component) => ({ component, reason: 'disabled' }),
);
