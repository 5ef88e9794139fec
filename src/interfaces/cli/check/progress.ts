import type { Io } from '#src/core/base/io.ts';
import { hasEscapes } from '../colour.ts';

const INTERVAL_MS = 500;
const CLEAR_LINE = '\r\u001b[K';

/** Progress of a task. */
export interface Progress {
  readonly done: number;
  readonly words: string;
}

/** Updates one line on stderr if it is a terminal and stdout is not; disposing of it clears the line. */
export function startProgress(progress: () => Progress, { stdout, ...io }: Io): Disposable {
  return stdout.isTerminal ? { [Symbol.dispose]() {} } : startProgressBeforeAnswer(progress, io);
}

/** Same for tasks that print no answer before disposal, so that the answers may go to the terminal too. */
export function startProgressBeforeAnswer(
  progress: () => Progress,
  { stderr, environment }: Pick<Io, 'stderr' | 'environment'>,
): Disposable {
  if (!stderr.isTerminal || !hasEscapes(environment)) return { [Symbol.dispose]() {} };
  const startMs = performance.now();
  const show = () => {
    const { done, words } = progress();
    const perSecond = Math.round((done * 1000) / Math.max(1, performance.now() - startMs));
    void stderr.write(`${CLEAR_LINE}${words}, ${perSecond}/s`);
  };
  const timer = setInterval(show, INTERVAL_MS);
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      void stderr.write(CLEAR_LINE);
    },
  };
}
