import type { ConfigFor } from '#src/app/config.ts';
import { openLog } from '#src/app/open-log.ts';
import { type MessageEntry, shownMessage } from '#src/checks/store/messages/stored-message.ts';
import type { Io } from '#src/core/base/io.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { batchOutput } from '../batched-output.ts';
import { FORMATS, type Format, type Formatter } from '../check/check-format.ts';
import { choice, type Invocation, UsageError } from '../command.ts';
import type { ExitCode } from '../exit-codes.ts';
import { newestMessages, readMessageSelection } from './message-request.ts';

/** Prints the selected checks of messages. */
export async function showMessages(
  invocation: Invocation<ConfigFor<'log'>>,
  io: Io,
  logger: Logger,
): Promise<ExitCode> {
  const selection = readMessageSelection(invocation);
  const format = choice(invocation, 'format', FORMATS) ?? 'text';
  if (invocation.text('out') !== undefined) throw new UsageError('--out requires log export');
  await using opened = await openLog(invocation.config, 'read', logger);
  const output = batchOutput(io.stdout);
  const { write, around } = formatterOf(format, selection.id === null);
  let count = 0;
  for await (const entry of newestMessages(opened.log, selection, () => count++))
    await output.write((count === 1 ? around.first : around.between) + write(entry));
  await output.write(count === 0 ? around.none : around.last);
  await output.flush();
  if (selection.id === null || count > 0) return 0;
  await io.stderr.write(`lurecheck: check of a message not found in the log: ${selection.id}\n`);
  return 1;
}

/** Returns the writer of a format. JSON is an array unless one check is selected by its id. */
function formatterOf(format: Format, isList: boolean): Formatter<MessageEntry> {
  const around = { first: '', between: '', last: '', none: '' };
  switch (format) {
    case 'text':
      return { write: asText, around };
    case 'ndjson':
      return { write: (entry) => `${JSON.stringify(shownMessage(entry))}\n`, around };
    case 'tsv':
      return {
        write: ({ message: one }) => `${one.request_id}\t${one.malicious_probability}\t${one.decision}\n`,
        around,
      };
    case 'json':
      return {
        write: (entry) => JSON.stringify(shownMessage(entry), null, 2),
        around: isList ? { first: '[\n', between: ',\n', last: '\n]\n', none: '[]\n' } : { ...around, last: '\n' },
      };
  }
}

function asText({ message, isDelivered }: MessageEntry): string {
  const { timestamp, request_id, decision, malicious_probability, link_count, unchecked, unread, via } = message;
  const heading = `${timestamp}  ${request_id}${isDelivered ? '' : '  not delivered'}`;
  const facts = [
    `${(100 * malicious_probability).toFixed(1)} %`,
    `via ${via}`,
    `${counted(link_count, 'link')}, ${unchecked} unchecked`,
    ...(unread > 0 ? [`${counted(unread, 'part')} unread`] : []),
    ...(message.is_whole ? [] : ['incomplete']),
    message.model_version,
  ];
  const reasons = message.reasons.map(
    ({ code, weight }) => `  ${weight < 0 ? '−' : '+'}${Math.abs(weight)}  ${code}\n`,
  );
  const links = message.links.map((id) => `  link ${id}\n`);
  return `${heading}\n${decision.toUpperCase()}  ${facts.join('  ')}\n${reasons.join('')}${links.join('')}\n`;
}
