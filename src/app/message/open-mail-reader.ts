import { systemClock } from '#src/core/base/clock.ts';
import { UnavailableError } from '#src/core/base/errors/operation-error.ts';
import type { MessageSettingValues } from '#src/engine/mail-verdict/settings.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import type { MessageRouteParts } from '#src/service/server/message/message-route.ts';
import type { Engine } from '../engine.ts';
import { mailAssessor } from './assess-mail.ts';
import { createMessageThreads } from './message-threads.ts';
import { type MailMemoryParts, openMailMemory } from './open-mail-memory.ts';
import { LINK_PLACE, packedLinks, urlOf } from './packed-links.ts';

/** Time for reading a mail, and until its thread is terminated, in milliseconds. */
const READING_MS = 5500;
const READER_MS = 6000;

/** Maximum number of links of a mail that are checked. */
const MAX_CHECKED = 50;

const TOO_SLOW = 'The message could not be read in time, so that it has no verdict.';

/** Delay before a mail is sent again that could not be read in time, in seconds: others may have been read meanwhile. */
const RETRY_AFTER_S = 10;

/** Reader of the mails that clients send. Disposing of it ends its threads. */
export interface MailReader extends AsyncDisposable {
  readonly readMail: MessageRouteParts['readMail'];
}

/** Opens a reader of mails, which notes confirmed senders with the key of this installation. */
export function openMailReader(
  engine: Pick<Engine, 'scoringContext' | 'assess' | 'lists'>,
  running: () => MessageSettingValues & ReturnType<MailMemoryParts['running']>,
  installation: Omit<MailMemoryParts, 'running'>,
): MailReader {
  const threads = createMessageThreads(1);
  const memory = openMailMemory({ running, ...installation });

  const assessMail = mailAssessor(
    engine,
    running,
    (target) => {
      const seen = skippedObservations('disabled', observeLists(engine.lists, target, systemClock.now()));
      const { verdict, decision } = engine.assess(target, seen);
      return { probability: verdict.probability, decision };
    },
    memory,
  );
  return {
    async readMail(bytes, left) {
      const startMs = systemClock.monotonicMs();
      const trust = { servers: running().auth_results_from, isReceived: true };
      const timeMs = () => startMs + READING_MS - systemClock.monotonicMs();
      const signal = AbortSignal.any([left, AbortSignal.timeout(READER_MS)]);
      const read = await threads.read(bytes, trust, timeMs, signal);
      // Nothing is known of it, and an allowed mail would look as if it had been read.
      if (read === 'ended') throw new UnavailableError('unexamined', TOO_SLOW, RETRY_AFTER_S);
      const { message, ...found } = read;
      const links: string[] = [];
      for (const link of packedLinks(found.links)) {
        if (links.length === MAX_CHECKED) break;
        if (link.place === LINK_PLACE.candidate) links.push(urlOf(found.links, link));
      }
      return {
        ...{ links, count: found.count, unread: found.unread, isWhole: found.isWhole },
        assess: (verdicts) => assessMail(message, verdicts),
      };
    },
    async [Symbol.asyncDispose]() {
      await threads[Symbol.asyncDispose]();
      await memory[Symbol.asyncDispose]();
    },
  };
}
