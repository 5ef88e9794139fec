import type { CheckResult } from '#src/checks/record/check-result.ts';
import type { ProblemBody } from '../http/problem.ts';
import { streamed } from '../http/streamed.ts';
import type { MessageAnswer } from './message-answer.ts';

/** The check of a link of a message, as it completes. */
export interface CheckedLink {
  /** As the message has it. */
  readonly url: string;
  readonly result: CheckResult;
}

interface StreamParts {
  readonly sign: (result: CheckResult) => string;
  readonly problemOf: (error: unknown) => ProblemBody;
}

/**
 * Sends the check of a message as server-sent events (HTML §9.2): a `link` with its result and signature for each link
 * that was checked, then one `result` with the answer on the message, or one `problem`.
 */
export function messageStream(
  start: (onLink: (link: CheckedLink) => void) => Promise<MessageAnswer>,
  { sign, problemOf }: StreamParts,
): Response {
  return streamed('text/event-stream', async (send) => {
    const sendEvent = (event: string, data: unknown) => send(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    try {
      sendEvent('result', await start((link) => sendEvent('link', { ...link, signature: sign(link.result) })));
    } catch (error) {
      sendEvent('problem', problemOf(error));
    }
  });
}
