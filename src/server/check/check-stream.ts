import { Type } from '@sinclair/typebox';
import type { CheckStage } from '#src/check/check.ts';
import type { CheckResult } from '#src/record/check-result.ts';
import type { ProblemBody } from '../http/problem.ts';

/** What {@link checkStream} sends. */
export const StagesSchema = Type.String({
  contentMediaType: 'text/event-stream',
  description:
    'Events `stage` (`{stage, state, elapsed_seconds}`; `stage` is `observe`, one of its probes, `assess` or `log`, `state` ' +
    '`started` or `finished`, the seconds count from the beginning of the check), then one ' +
    '`result` (a CheckResult), or one `problem` (a Problem) where the check could not be finished.',
});

/**
 * A check as server-sent events (HTML §9.2): a `stage` each time that one starts or finishes, at the end one `result`,
 * or one `problem` where the check could not be finished. A client that goes away does not stop its check.
 */
export function checkStream(
  start: (onStage: (stage: CheckStage) => void) => Promise<CheckResult>,
  problemOf: (error: unknown) => ProblemBody,
): Response {
  const encoder = new TextEncoder();
  let isOpen = true;
  const events = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send = (event: string, data: unknown) => {
        // JSON holds no line break, so one `data` line carries it whole.
        if (isOpen) controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
      };
      try {
        send('result', await start((stage) => send('stage', stage)));
      } catch (error) {
        send('problem', problemOf(error));
      }
      if (isOpen) controller.close();
    },
    cancel() {
      isOpen = false;
    },
  });
  return new Response(events, {
    // The second keeps nginx from holding the events back.
    headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
  });
}
