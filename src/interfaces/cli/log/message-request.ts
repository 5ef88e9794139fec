import { DECISIONS } from '#src/checks/record/check-result.ts';
import { CHECK_KINDS } from '#src/checks/record/message-record.ts';
import type { MessageEntry, MessageFilter } from '#src/checks/store/messages/stored-message.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { choice, type Invocation, UsageError } from '../command.ts';
import { limitOf, timeOf } from './log-request.ts';

/** Options that do not apply to messages, whose records name no host and no page. */
const OF_URLS = [
  'domain',
  'coverage',
  'caution',
  'via',
  'list',
  'reason',
  'model',
  'follow',
  'pictures',
  'to-database',
] as const;

/** Selected checks of messages. */
export interface MessageSelection {
  readonly kind: 'message';
  readonly visibility: Visibility;
  readonly id: string | null;
  readonly filter: MessageFilter;
  readonly limit: number | null;
}

/** Returns true if checks of messages are asked for. Throws UsageError. */
export function wantsMessages(invocation: Invocation): boolean {
  return choice(invocation, 'kind', CHECK_KINDS) === 'message';
}

/** Parses which checks of messages are selected. Throws UsageError. */
export function readMessageSelection(invocation: Invocation): MessageSelection {
  for (const name of OF_URLS)
    if (invocation.text(name) !== undefined || invocation.flag(name))
      throw new UsageError(`--${name} does not apply to --kind message`);
  return {
    kind: 'message',
    visibility: invocation.flag('private') ? 'private' : 'public',
    id: invocation.text('id') ?? null,
    filter: {
      decision: choice(invocation, 'decision', DECISIONS) ?? null,
      fromMs: timeOf(invocation, 'from'),
      untilMs: timeOf(invocation, 'until'),
    },
    limit: limitOf(invocation),
  };
}

/** Yields the selected checks of messages, newest first, and counts them. */
export async function* newestMessages(
  { messages }: Pick<ScanLog, 'messages'>,
  { id, visibility, filter, limit }: MessageSelection,
  onRead: () => void,
): AsyncGenerator<MessageEntry> {
  if (id !== null) {
    const found = await messages.find(visibility, id);
    if (found) {
      onRead();
      yield found;
    }
    return;
  }
  let left = limit ?? Infinity;
  for await (const entry of messages.read(visibility, filter)) {
    onRead();
    yield entry;
    if (--left === 0) return;
  }
}
