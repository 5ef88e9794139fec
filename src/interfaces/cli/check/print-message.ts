import type { Io } from '#src/core/base/io.ts';
import { visibleJson } from '#src/core/base/text/untrusted-text.ts';
import type { Message } from '#src/engine/message/read-message.ts';
import type { FormatStyle } from './check-format.ts';
import type { CheckOutcome } from './check-one.ts';
import { describeMessage } from './message-text.ts';
import { messageJson, viewMessage } from './message-view.ts';
import { emptyTally, type Tally } from './tally.ts';

/** Prints a message as a whole, once all its links are checked, and counts what came of them. */
export async function printMessage(
  message: Message,
  outcomes: AsyncIterable<CheckOutcome>,
  { format, colour }: FormatStyle,
  { stdout }: Pick<Io, 'stdout'>,
): Promise<Tally> {
  const all = await Array.fromAsync(outcomes);
  const view = viewMessage(message, all);
  if (format === 'text') await stdout.write(describeMessage(view, colour));
  else await stdout.write(`${visibleJson(JSON.stringify(messageJson(view), null, format === 'json' ? 2 : 0))}\n`);
  const tally = emptyTally();
  for (const outcome of all) tally['result' in outcome ? outcome.result.decision : 'failed']++;
  return tally;
}
