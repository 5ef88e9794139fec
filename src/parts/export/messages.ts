import { type MessageEntry, shownMessage } from '#src/checks/store/messages/stored-message.ts';
import { csvLine } from './csv.ts';

/** The formats in which checks of messages leave the host; the others are about URLs. */
export const MESSAGE_EXPORT_FORMATS = ['csv', 'ndjson'] as const;

/** Columns of the table. Programs read them by name and position, so new ones are appended. */
const COLUMNS: Readonly<Record<string, (entry: MessageEntry) => string | number | boolean | null>> = {
  timestamp: ({ message }) => message.timestamp,
  decision: ({ message }) => message.decision,
  malicious_probability: ({ message }) => message.malicious_probability,
  request_id: ({ message }) => message.request_id,
  top_reason: ({ message }) => message.reasons[0]?.code ?? null,
  model_version: ({ message }) => message.model_version,
  delivered: ({ isDelivered }) => isDelivered,
  caution: ({ message }) => message.caution,
  via: ({ message }) => message.via,
  link_count: ({ message }) => message.link_count,
  unchecked: ({ message }) => message.unchecked,
  unread: ({ message }) => message.unread,
  is_whole: ({ message }) => message.is_whole,
  reasons: ({ message }) => message.reasons.map(({ code, weight }) => `${code}=${weight}`).join(' '),
  links: ({ message }) => message.links.join(' '),
};

/** Writes the checks of messages in a format, piece by piece as they are read. */
export async function* writeMessages(
  entries: AsyncIterable<MessageEntry>,
  format: (typeof MESSAGE_EXPORT_FORMATS)[number],
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(Object.keys(COLUMNS));
  for await (const entry of entries)
    yield format === 'csv'
      ? csvLine(Object.values(COLUMNS).map((cell) => cell(entry)))
      : `${JSON.stringify(shownMessage(entry))}\n`;
}
