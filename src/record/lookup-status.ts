import { type Static, Type } from '@sinclair/typebox';
import type { FailureCode } from '#src/base/failure.ts';
import type { Observation, SkipReason } from '#src/probes/probe.ts';
import { stringEnum } from './string-enum.ts';

const MEANINGS = {
  ok: 'looked up, the answer stands beside it',
  not_found: 'there is no such record, or only one that leads to an address which the egress policy does not allow',
  timeout: 'no answer within the time allowed',
  unreachable: 'no way to the server, or look-ups of this kind rest because they keep failing',
  refused_by_policy: 'the egress policy does not allow the look-up',
  not_applicable: 'the URL gives nothing to look up',
  disabled: 'switched off by a setting',
  error: 'the answer could not be used',
} as const;

/** What came of one look-up, as the API names it. */
export type LookupStatus = keyof typeof MEANINGS;

const statuses = Object.keys(MEANINGS) as LookupStatus[];

/** Every status of a look-up. */
export const LookupStatusSchema = stringEnum<LookupStatus>(statuses, {
  description: statuses.map((status) => `\`${status}\`: ${MEANINGS[status]}`).join('; '),
});

/** Something that could not be looked at, and why. */
export const UnavailableSchema = Type.Object(
  {
    component: Type.String({ description: 'The component that had nothing to judge', examples: ['page'] }),
    reason: stringEnum(
      statuses.filter((status) => status !== 'ok'),
      { description: 'Why: one of the statuses of a look-up, never `ok`' },
    ),
  },
  { additionalProperties: false },
);

export type Unavailable = Static<typeof UnavailableSchema>;

const OF_FAILURE: Record<FailureCode, LookupStatus> = {
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
  registration_not_found: 'not_found',
  registration_no_server: 'not_applicable',
  registration_refused: 'error',
  parser_budget_exceeded: 'error',
  overloaded: 'unreachable',
  internal_error: 'error',
};

const OF_SKIP: Record<SkipReason, LookupStatus> = {
  not_applicable: 'not_applicable',
  disabled: 'disabled',
  circuit_open: 'unreachable',
};

/** The one place where what happened becomes what the API says of it. */
export function lookupStatus(observation: Observation<unknown>): LookupStatus {
  switch (observation.state) {
    case 'observed':
      return 'ok';
    case 'failed':
      return OF_FAILURE[observation.failure.code];
    case 'skipped':
      return OF_SKIP[observation.reason];
  }
}
