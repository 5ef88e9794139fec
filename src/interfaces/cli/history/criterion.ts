import { CRITERIA, type DeletionTarget } from '#src/checks/store/deletions/deletion-target.ts';
import { isRequestId } from '#src/core/base/request-id.ts';
import { counted } from '#src/core/base/text/counted.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { type Invocation, UsageError } from '../command.ts';
import { selectedDomain, timeOf } from '../log/log-request.ts';

/**
 * Reads `--id`, `--domain` or `--before`; null if all are absent.
 *
 * @throws UsageError if there are two of them, or for an invalid value
 */
export function readCriterion(invocation: Invocation): DeletionTarget | null {
  const [by, ...others] = CRITERIA.filter((criterion) => invocation.text(criterion) !== undefined);
  if (by === undefined) return null;
  if (others.length > 0) throw new UsageError(`expected one of --id, --domain and --before, not --${by} with others`);
  const text = invocation.text(by) ?? '';
  switch (by) {
    case 'id':
      if (!isRequestId(text)) throw new UsageError(`--id takes a request id, not "${text}"`);
      return { by, wanted: text };
    case 'domain':
      return { by, wanted: selectedDomain(invocation) ?? '' };
    case 'before':
      return { by, wanted: new Date(timeOf(invocation, by) ?? 0).toISOString() };
  }
}

/** The checks that are meant, in words: `12 checks of the public log, those of hosts that end in example.com`. */
export function describeSelection(count: number, visibility: Visibility, { by, wanted }: DeletionTarget): string {
  const which = {
    id: `with the id ${wanted}`,
    domain: `of hosts in ${wanted}`,
    before: `from before ${wanted}`,
  }[by];
  return `${counted(count, 'check')} of the ${visibility} log ${which}`;
}
