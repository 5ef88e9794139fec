import { Type } from '@sinclair/typebox';
import type { CheckStage } from '#src/checks/check/check.ts';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import type { ProblemBody } from '../http/problem.ts';
import { streamed } from '../http/streamed.ts';
import type { View } from './view-query.ts';

/** Server-sent events of {@link checkStream}. */
export const StagesSchema = Type.String({
  contentMediaType: 'text/event-stream',
  description:
    'Events `stage` (`{stage, state, elapsed_seconds}`; `stage` is `observe`, one of its probes, `assess` or `log`, `state` ' +
    '`started` or `finished`, the seconds count from the beginning of the check), then one `signature` ' +
    '(`{signature}`: Ed25519, base64url, by which a link to the result is verified) and one ' +
    '`result` (a CheckResult, or a ShortResult with `view=short`), or one `problem` (a Problem) where the check could not be finished.',
});

interface StreamParts {
  readonly sign: (result: CheckResult) => string;
  readonly view: View;
  readonly problemOf: (error: unknown) => ProblemBody;
}

/**
 * Sends a check as server-sent events (HTML §9.2): a `stage` whenever one starts or finishes, then one `signature` and
 * one `result`, or one `problem` if the check failed. A check continues if its client disconnects.
 */
export function checkStream(
  start: (onStage: (stage: CheckStage) => void) => Promise<CheckResult>,
  { sign, view, problemOf }: StreamParts,
): Response {
  return streamed('text/event-stream', async (send) => {
    // JSON holds no line break, so one `data` line carries it whole.
    const sendEvent = (event: string, data: unknown) => send(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    try {
      const result = await start((stage) => sendEvent('stage', stage));
      sendEvent('signature', { signature: sign(result) });
      sendEvent('result', view(result));
    } catch (error) {
      sendEvent('problem', problemOf(error));
    }
  });
}
