import { hasEscapes } from '../colour.ts';
import type { Io } from '../io.ts';
import type { Tally } from './tally.ts';

const INTERVAL_MS = 500;
const CLEAR_LINE = '\r\u001b[K';

/** Keeps one line on stderr up to date while a person looks at it and the answers go elsewhere; cleared when disposed of. */
export function startProgress(tally: Readonly<Tally>, { stdout, stderr, environment }: Io): Disposable {
  if (!stderr.isTerminal || stdout.isTerminal || !hasEscapes(environment)) return { [Symbol.dispose]() {} };
  const startMs = performance.now();
  const show = () => {
    const total = tally.allow + tally.warn + tally.block + tally.failed;
    const perSecond = Math.round((total * 1000) / Math.max(1, performance.now() - startMs));
    void stderr.write(
      `${CLEAR_LINE}${total} checked, ${tally.warn} warn, ${tally.block} block, ${tally.failed} failed, ${perSecond}/s`,
    );
  };
  const timer = setInterval(show, INTERVAL_MS);
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      void stderr.write(CLEAR_LINE);
    },
  };
}
