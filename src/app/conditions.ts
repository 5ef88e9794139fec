import { type Condition, conditionOfAlert, type RaisedAlert } from '#src/core/base/text/condition.ts';

/** The state of a scheduled list source. */
export interface SourceReport {
  /** Name of its list. */
  readonly name: string;
  /** Last attempt, ISO 8601 UTC; null before the first. */
  readonly tried_at: string | null;
  /** Last success; null before the first. */
  readonly renewed_at: string | null;
  /** Next attempt; null for a file, which is read whenever it changes. */
  readonly next_at: string | null;
  /** Why the last attempt failed, as a predicate; null if it succeeded. */
  readonly problem: string | null;
}

/** Returns the condition of a source that failed. */
function conditionOfSource({ name, tried_at, renewed_at, next_at, problem }: SourceReport, nowMs: number): Condition {
  const lastSuccess = renewed_at === null ? 'It was never imported' : `It was last renewed at ${renewed_at}`;
  return {
    code: 'list_source_failed',
    severity: 'error',
    since: renewed_at ?? tried_at ?? new Date(nowMs).toISOString(),
    args: { list: name, cause: problem ?? '', ...(next_at !== null && { next: next_at }) },
    message: `The source of the list ${name} cannot be used: ${problem}. ${lastSuccess}.`,
    remedy:
      'Correct list_sources or the source; it is tried again every 10 minutes, and at once by Try again in the console.',
  };
}

/** Facts from which conditions follow. */
export interface ConditionSources {
  readonly alerts: readonly RaisedAlert[];
  readonly sources: readonly SourceReport[];
  /** Conditions that everybody may know as they are. */
  readonly others: readonly Condition[];
  readonly nowMs: number;
}

/** Returns the conditions of a service for its operator, errors first. */
export function operatorConditions({ alerts, sources, others, nowMs }: ConditionSources): Condition[] {
  const failed = sources.filter(({ problem }) => problem !== null);
  const all = [...failed.map((source) => conditionOfSource(source, nowMs)), ...alerts.map(conditionOfAlert), ...others];
  return all.toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'));
}

/** Returns the same for everybody: without names of keys and lists, causes and remedies. */
export function publicConditions(sources: ConditionSources): Condition[] {
  const notices = new Map(sources.alerts.map(({ code, notice }) => [code as string, notice]));
  return operatorConditions(sources).map((condition) => {
    if (condition.code === 'list_source_failed')
      return { ...condition, args: {}, message: 'A source of a list cannot be used.', remedy: null };
    const notice = notices.get(condition.code);
    return notice === undefined ? condition : { ...condition, args: {}, message: notice, remedy: null };
  });
}
