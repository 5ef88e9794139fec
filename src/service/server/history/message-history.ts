import type { Static } from '@sinclair/typebox';
import type { MessagePage } from '#src/checks/record/message-record.ts';
import type { MessagePageQuery } from '#src/checks/store/messages/message-log.ts';
import { badFields, ProblemError } from '../http/problem.ts';
import { type HistoryQuerySchema, historyQuery } from './history-query.ts';

type Parameters = Static<typeof HistoryQuerySchema>;

/** Parameters that apply to the checks of messages, which name no host. `wait` is in every query, by its default. */
const APPLICABLE: readonly string[] = [
  'kind',
  'limit',
  'cursor',
  'decision',
  'from',
  'until',
  'wait',
] satisfies (keyof Parameters)[];

/** Reads a page of the checks of messages. */
export type ReadMessages = (query: MessagePageQuery) => Promise<MessagePage>;

/** Reads the page of the checks of messages that parameters ask for. Throws ProblemError 400, BadCursorError. */
export async function readMessages<Page>(
  read: (query: MessagePageQuery) => Promise<Page>,
  parameters: Parameters,
): Promise<Page> {
  const others = Object.keys(parameters).filter((name) => !APPLICABLE.includes(name));
  const faults = others.map((field) => ({ field, message: 'applies to checks of URLs only' }));
  if (faults.length > 0)
    throw new ProblemError(badFields(faults.map((one) => ({ ...one, code: 'invalid_parameter' }))));
  const { limit, cursor, decision, fromMs, untilMs } = historyQuery(parameters);
  return await read({ limit, cursor, decision, fromMs, untilMs });
}
