import { join } from 'node:path';
import type { Clock } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { type FollowedFile, followFile, stampOf } from '#src/core/base/files/followed-file.ts';
import { readIfExists, replaceLocked } from '#src/core/base/files/locked-file.ts';
import { unusableFile } from '#src/core/base/files/named-file.ts';
import { mapWith } from '#src/core/base/guard.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';

/** Bound of the file. The limit of sign-ins admits some 14,000 within the longest session; the first to end are forgotten. */
const MAX_ENDED = 20_000;

/** Signed-out sessions of the console. Disposal ends watching their file. */
export interface EndedSessions extends Disposable {
  /** Returns true if the session that began then was ended. */
  has(id: string, startedMs: number): boolean;
  /** Ends a session, which could be used until then. If the file cannot be written, it is ended in this process alone. */
  end(id: string, untilMs: number): void;
  readonly file: FollowedFile;
}

/** Ids of ended sessions, with the moment from which they could not be used anyway, in milliseconds since the Unix epoch. */
type Ended = Readonly<Record<string, number>>;

/** Returns the path of the file of ended sessions. */
export function endedSessionsFileIn(dataDir: string): string {
  return join(dataDir, 'ended-sessions.json');
}

const areEnded = mapWith((value): value is number => typeof value === 'number');

/** Returns the sessions in a text; none for null. Throws OperationError that names `path` for a text that holds something else. */
export function readEndedText(text: string | null, path: string): Ended {
  if (text === null) return {};
  const ended = parseJson(text);
  if (!areEnded(ended)) throw new OperationError('file_damaged', [unusableFile(path, 'ended sessions', 'is damaged')]);
  return ended;
}

/** Returns the text of both files' sessions: two nodes that end one each at the same time lose neither. */
export function mergeEndedTexts(one: string, other: string): string {
  return writeEnded({ ...readEndedText(one, 'the data directory'), ...readEndedText(other, 'the database') });
}

function writeEnded(ended: Ended): string {
  const kept = Object.entries(ended)
    .toSorted(([, a], [, b]) => a - b)
    .slice(-MAX_ENDED);
  return `${JSON.stringify(Object.fromEntries(kept))}\n`;
}

/**
 * Reads the ended sessions, and again whenever their file changes. Without a file that can be read, every session that
 * began before now counts as ended.
 */
export function openEndedSessions(dataDir: string, clock: Clock, logger: Pick<Logger, 'error'>): EndedSessions {
  const path = endedSessionsFileIn(dataDir);
  const read = () => readEndedText(readIfExists(path, 'ended sessions'), path);
  /** Returns the sessions that could still be used if they had not been ended. */
  const usable = (all: Ended) => Object.fromEntries(Object.entries(all).filter(([, untilMs]) => untilMs > clock.now()));
  const stamp = stampOf(path);
  let ended: Ended = {};
  let unknownBeforeMs = 0;
  const onProblem = (error: unknown) => logger.error('sessions.kept', { error });
  try {
    ended = read();
  } catch (error) {
    unknownBeforeMs = clock.now();
    onProblem(error);
  }
  const file = followFile({
    path,
    since: { stamp, problem: null },
    apply() {
      ended = usable({ ...ended, ...read() });
    },
    onProblem,
  });
  return {
    has: (id, startedMs) => startedMs < unknownBeforeMs || Object.hasOwn(ended, id),
    end(id, untilMs) {
      ended = usable({ ...ended, [id]: untilMs });
      try {
        // What cannot be read is replaced: those of this process are all that is known.
        replaceLocked(path, 'ended sessions', () => writeEnded(usable({ ...readOr(read), ...ended })));
      } catch (error) {
        onProblem(error);
      }
    },
    file,
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}

function readOr(read: () => Ended): Ended {
  try {
    return read();
  } catch {
    return {};
  }
}
