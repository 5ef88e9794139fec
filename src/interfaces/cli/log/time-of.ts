import { type Invocation, UsageError } from '../command.ts';

const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Parses the time of an option, in milliseconds since the Unix epoch; null if it is not given. Throws UsageError. */
export function timeOf(invocation: Pick<Invocation, 'text'>, option: string): number | null {
  const text = invocation.text(option);
  if (text === undefined) return null;
  const timeMs = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(timeMs))
    throw new UsageError(`--${option} must be a time such as 2026-01-31 or 2026-01-31T12:00:00Z, not "${text}"`);
  return timeMs;
}
