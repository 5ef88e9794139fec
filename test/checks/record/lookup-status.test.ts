import { expect, test } from 'bun:test';
import { type LookupStatus, lookupStatus } from '#src/checks/record/lookups.ts';
import { FAILURES, type FailureCode } from '#src/core/base/failure.ts';

const failed = (code: string) =>
  lookupStatus({ state: 'failed', failure: { code: code as FailureCode, detail: '' }, elapsedMs: 1 });

test('every failure has a status other than ok and disabled', () => {
  const statuses = Object.keys(FAILURES).map(failed);
  expect(statuses.filter((status) => status === undefined)).toEqual([]);
  const misleading: LookupStatus[] = ['ok', 'disabled'];
  expect(statuses.filter((status) => misleading.includes(status))).toEqual([]);
});

test('failures that a person can distinguish have different statuses', () => {
  expect(failed('dns_nxdomain')).toBe('not_found');
  expect(failed('registration_not_found')).toBe('not_found');
  expect(failed('timeout')).toBe('timeout');
  expect(failed('connection_refused')).toBe('unreachable');
  expect(failed('egress_denied')).toBe('refused_by_policy');
  expect(failed('response_malformed')).toBe('error');
  expect(lookupStatus({ state: 'skipped', reason: 'circuit_open' })).toBe('unreachable');
  expect(lookupStatus({ state: 'skipped', reason: 'disabled' })).toBe('disabled');
  expect(lookupStatus({ state: 'skipped', reason: 'not_applicable' })).toBe('not_applicable');
  expect(lookupStatus({ state: 'observed', value: null, elapsedMs: 1 })).toBe('ok');
});
