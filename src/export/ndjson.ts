import { visibleJson } from '#src/base/foreign-text.ts';
import type { KeptResult } from '#src/record/kept-result.ts';
import { writtenJson } from '#src/record/written-json.ts';
import type { LogEntry } from '#src/store/scan-log.ts';

/** A result as a log shows it; beside its members stands where the answer went out to nobody. */
type LoggedResult = KeptResult & { readonly not_delivered?: true };

/** What is shown of a check. */
export function shownResult({ result, isDelivered }: LogEntry): LoggedResult {
  return isDelivered ? result : { ...result, not_delivered: true };
}

/** One JSON object a line: each check whole. */
export async function* writeNdjson(entries: AsyncIterable<LogEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield `${visibleJson(writtenJson(shownResult(entry)))}\n`;
}
