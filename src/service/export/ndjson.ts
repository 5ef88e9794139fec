import { visibleJson } from '#src/core/base/text/untrusted-text.ts';
import type { KeptResult } from '#src/checks/record/logged-result.ts';
import { writtenJson } from '#src/checks/record/written-json.ts';
import type { LogEntry } from '#src/checks/store/scan-log.ts';

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
