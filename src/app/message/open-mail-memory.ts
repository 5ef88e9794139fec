import { openSenderMemory, type SenderMemory } from '#src/checks/store/senders/sender-memory.ts';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { MessageSettingValues } from '#src/engine/mail-verdict/settings.ts';

/** Settings, key and log of an installation whose memory of senders is opened. */
export interface MailMemoryParts {
  readonly running: () => Pick<MessageSettingValues, 'sender_memory_days'> & Pick<StoreSettings, 'data_dir'>;
  readonly key: () => Buffer;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Opens the memory of senders, which follows its setting. */
export function openMailMemory({ running, key, logger }: MailMemoryParts): SenderMemory {
  return openSenderMemory({
    ...{ dataDir: running().data_dir, key, clock: systemClock },
    days: () => running().sender_memory_days,
    onFailure: (error) => logger.warn('senders.failed', { error }),
  });
}
