import { cachedJson } from '#src/checks/record/cached-json.ts';
import { shownResult } from '#src/checks/record/stored-result.ts';
import type { LogEntry } from '#src/checks/store/scan-log.ts';
import { visibleJson } from '#src/core/base/text/untrusted-text.ts';

/** Writes one JSON object per line with the whole check. */
export async function* writeNdjson(entries: AsyncIterable<LogEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield `${visibleJson(cachedJson(shownResult(entry)))}\n`;
}
