import type { CheckStage } from '#src/check/check.ts';
import type { CheckResult } from '#src/record/check-result.ts';
import { type Problem, problemBody } from '../http/problem.ts';

/** Whether a client asks for the stages of a check as server-sent events. */
export function wantsStages(headers: Headers): boolean {
  return /(?:^|,)[ \t]*text\/event-stream[ \t]*(?:[;,]|$)/i.test(headers.get('accept') ?? '');
}

/**
 * A check as server-sent events (HTML §9.2): a `stage` each time that one starts or finishes, at the end one `result`,
 * or one `problem` where the check could not be finished. A client that goes away does not stop its check.
 */
export function checkStream(
  requestId: string,
  start: (onStage: (stage: CheckStage) => void) => Promise<CheckResult>,
  problemOf: (error: unknown) => Problem,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isOpen = true;
  return new ReadableStream<Uint8Array>({
    async start(controller) {
      const send = (event: string, data: unknown) => {
        // JSON holds no line break, so one `data` line carries it whole.
        if (isOpen) controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
      };
      try {
        send('result', await start((stage) => send('stage', stage)));
      } catch (error) {
        send('problem', problemBody(problemOf(error), requestId));
      }
      if (isOpen) controller.close();
    },
    cancel() {
      isOpen = false;
    },
  });
}
