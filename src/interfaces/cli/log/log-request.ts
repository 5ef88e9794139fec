import { type AnalysisDetails, COVERAGES, DECISIONS } from '#src/checks/record/check-result.ts';
import { VIAS, type Via } from '#src/checks/record/decided-by.ts';
import { domainKey } from '#src/checks/store/domains/host-suffixes.ts';
import type { CheckFilter } from '#src/checks/store/read/check-filter.ts';
import { parseInstant } from '#src/core/base/clock.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { FORMATS, type Format } from '../check/check-format.ts';
import { choice, type Invocation, type Option, UsageError } from '../command.ts';

/** A time without its seconds, which may be left out here. */
const WITHOUT_SECONDS = /^(.{10}T\d\d:\d\d)(?=Z|[+-])/;

/** Parses the time of an option, in milliseconds since the Unix epoch; null if it is not given. Throws UsageError. */
export function timeOf(invocation: Pick<Invocation, 'text'>, option: string): number | null {
  const text = invocation.text(option);
  if (text === undefined) return null;
  const timeMs = parseInstant(text.replace(WITHOUT_SECONDS, '$1:00'));
  if (timeMs === null)
    throw new UsageError(`--${option} must be a time such as 2026-01-31 or 2026-01-31T12:00:00Z, not "${text}"`);
  return timeMs;
}

/** Parses `--domain` to the form of the index; null if it is not given. Throws UsageError. */
export function selectedDomain(invocation: Pick<Invocation, 'text'>): string | null {
  const text = invocation.text('domain');
  if (text === undefined) return null;
  const key = domainKey(text);
  if (key === null) throw new UsageError(`--domain requires a domain such as example.com, not "${text}"`);
  return key;
}

/** The options by which checks of a log are chosen. */
export const SELECTION_OPTIONS = {
  domain: { type: 'string', value: 'DOMAIN', description: 'Checks of hosts in this domain.' },
  from: {
    type: 'string',
    value: 'TIME',
    description: 'Checks from this time on: 2026-01-31 or 2026-01-31T12:00:00Z.',
  },
  until: { type: 'string', value: 'TIME', description: 'Checks before this time.' },
  decision: { type: 'string', words: DECISIONS, description: 'Checks with this decision.' },
  coverage: { type: 'string', words: COVERAGES, description: 'Checks with this coverage of the page.' },
  caution: { type: 'boolean', description: 'Allowed checks with a signal that a person should see.' },
  via: { type: 'string', words: VIAS, description: 'Checks that came in this way.' },
  list: { type: 'string', value: 'LIST', description: 'Checks that an entry of this list decided.' },
  reason: { type: 'string', value: 'CODE', description: 'Checks with this reason, such as url.suffix.' },
  model: { type: 'string', value: 'VERSION', description: 'Checks by this model version.' },
  limit: { type: 'string', value: 'N', description: 'The latest N only. A whole number from 1.' },
} as const satisfies Readonly<Record<string, Option>>;

/** Filter by details; null is no limit. */
export interface DetailFilter {
  readonly coverage: AnalysisDetails['coverage'] | null;
  /** True if those alone are meant that need caution. */
  readonly caution: boolean;
  readonly via: Via | null;
  /** Name of the list that decided. */
  readonly list: string | null;
  /** Code of one of the reasons. */
  readonly reason: string | null;
  /** Exact version of the models. */
  readonly modelVersion: string | null;
}

/** Filter of `log`. */
export interface LogSelection {
  readonly visibility: Visibility;
  /** The one check that is meant; null for all that match. */
  readonly id: string | null;
  readonly filter: CheckFilter;
  /** Filter without an index; absent for no such limit. */
  readonly details?: DetailFilter;
  /** The most that are written; null for no limit. */
  readonly limit: number | null;
}

/** The same, and how `log` is to show them. */
export interface LogRequest extends LogSelection {
  readonly format: Format;
  readonly follow: boolean;
}

/**
 * Understands the words of `log` by themselves.
 *
 * @throws UsageError with what to write instead.
 */
export function readLogRequest(invocation: Invocation): LogRequest {
  const request = {
    ...readSelection(invocation),
    format: choice(invocation, 'format', FORMATS) ?? 'text',
    follow: invocation.flag('follow'),
  };
  for (const name of ['out', 'pictures']) {
    if (invocation.text(name) !== undefined) throw new UsageError(`--${name} requires log export`);
  }
  if (request.follow && request.format === 'json') {
    throw new UsageError('--follow cannot write a JSON array: use --format ndjson');
  }
  if (request.follow && request.id !== null) throw new UsageError('--id and --follow cannot be combined');
  return request;
}

/**
 * Understands which checks are meant.
 *
 * @throws UsageError with what to write instead.
 */
export function readSelection(invocation: Invocation): LogSelection {
  return {
    visibility: invocation.flag('private') ? 'private' : 'public',
    id: invocation.text('id') ?? null,
    filter: {
      decision: choice(invocation, 'decision', DECISIONS) ?? null,
      domain: selectedDomain(invocation),
      fromMs: timeOf(invocation, 'from'),
      untilMs: timeOf(invocation, 'until'),
    },
    details: {
      coverage: choice(invocation, 'coverage', COVERAGES) ?? null,
      caution: invocation.flag('caution'),
      via: choice(invocation, 'via', VIAS) ?? null,
      list: invocation.text('list') ?? null,
      reason: invocation.text('reason') ?? null,
      modelVersion: invocation.text('model') ?? null,
    },
    limit: limitOf(invocation),
  };
}

/** Parses `--limit`; null if it is not given. Throws UsageError. */
export function limitOf(invocation: Pick<Invocation, 'text'>): number | null {
  const text = invocation.text('limit');
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--limit takes a whole number from 1, not "${text}"`);
  return Number(text);
}
