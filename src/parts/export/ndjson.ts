import { cachedJson } from '#src/checks/record/cached-json.ts';
import type { LoggedResult } from '#src/checks/record/stored-result.ts';
import type { LogEntry } from '#src/checks/store/scan-log.ts';
import { visibleJson } from '#src/core/base/text/untrusted-text.ts';

/** A result as its log shows it; `not_delivered` is set if no client received the answer. */
type ShownResult = LoggedResult & { readonly not_delivered?: true };

export function shownResult({ result, isDelivered }: LogEntry): ShownResult {
  return isDelivered ? result : { ...result, not_delivered: true };
}

/** Writes one JSON object per line with the whole check. */
export async function* writeNdjson(entries: AsyncIterable<LogEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield `${visibleJson(cachedJson(shownResult(entry)))}\n`;
}
