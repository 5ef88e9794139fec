import { availableParallelism } from 'node:os';
import { type Line, readLines } from '#src/core/base/files/line-reader.ts';
import { MAX_LINE_BYTES } from './check-input.ts';
import { checkLines } from './check-lines.ts';
import type { LineChecker } from './check-one.ts';
import type { FormattedOutcomes } from './formatted-outcomes.ts';
import { type LineThreadStart, type LineThreads, startLineThreads } from './line-threads.ts';

/**
 * Lines that are checked, stored and printed together: some tens of milliseconds of work, a megabyte of answers. Half as many
 * take a twentieth more of processor time if they are stored.
 */
const BATCH_LINES = 256;

/**
 * A thread compiles everything again, which takes a second and more of processor time. Started after 100,000 of 200,000 lines, a
 * second one takes an eighth more of it, and the list is checked in 0.95 of the time.
 */
const BATCHES_BEFORE_THREADS = Math.round(200_000 / BATCH_LINES);

/** Batches under way on this thread: one is checked while another is brought to the disk, if the checks are logged. */
const OWN_BATCHES = 2;

/** Each has models of its own in memory. */
const MAX_THREADS = 3;

/** Returns one thread for each core but this one's; 0 if list files are named, because a pipe can be read only once. */
function threadsFor({ block_list, allow_list }: LineThreadStart['config']): number {
  return block_list.length + allow_list.length > 0 ? 0 : Math.min(availableParallelism() - 1, MAX_THREADS);
}

/**
 * Checks the lines of a stream without network, on all cores if there are many, and yields the outcomes in order. At
 * most a few batches per thread are pending.
 */
export async function* checkAllLines(
  stdin: AsyncIterable<Uint8Array>,
  checker: LineChecker,
  start: LineThreadStart,
  threadCount: number = threadsFor(start.config),
  batchesBefore: number = BATCHES_BEFORE_THREADS,
): AsyncGenerator<FormattedOutcomes> {
  // Their certificates are of no use without a network.
  const config = { ...start.config, egress_ca: null };
  using opened = new DisposableStack();
  let threads: LineThreads | null = null;
  let batches = 0;
  const check = async (lines: readonly Line[]): Promise<FormattedOutcomes> => {
    if (batches++ === batchesBefore) threads = opened.use(startLineThreads(threadCount, { ...start, config }));
    // What a thread could not do is done here.
    const elsewhere = await threads?.check(lines)?.catch(() => null);
    return elsewhere ?? (await checkLines(lines, checker, start));
  };
  yield* mapInOrder(inBatches(readLines(stdin, MAX_LINE_BYTES)), 2 * threadCount + OWN_BATCHES, check);
}

async function* inBatches(chunks: AsyncIterable<readonly Line[]>): AsyncGenerator<Line[][]> {
  for await (const lines of chunks) {
    const count = Math.ceil(lines.length / BATCH_LINES);
    yield Array.from({ length: count }, (_, at) => lines.slice(at * BATCH_LINES, (at + 1) * BATCH_LINES));
  }
}

/**
 * Maps the items of batches with up to `limit` of them under way, and yields the results in the order of the items.
 * Results come out as soon as they are due, also while the source has nothing new. What the source or an item throws is
 * thrown once the results before it are out.
 */
export async function* mapInOrder<T, R>(
  batches: AsyncIterable<readonly T[]>,
  limit: number,
  map: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const iterator = batches[Symbol.asyncIterator]();
  const underWay: { readonly result: Promise<R> }[] = [];
  for (;;) {
    const next = settle(iterator.next());
    // Whichever comes first: more to do, or the oldest result.
    for (let [oldest] = underWay; oldest; [oldest] = underWay) {
      const first = await Promise.race([next.then(() => null), oldest.result.then((value) => ({ value }))]);
      if (first === null) break;
      underWay.splice(0, 1);
      yield first.value;
    }
    const step = await next;
    if (step.status === 'rejected' || step.value.done) yield* take(underWay, underWay.length);
    if (step.status === 'rejected') throw step.reason;
    if (step.value.done) return;
    for (const item of step.value.value) {
      if (underWay.length >= limit) yield* take(underWay, 1);
      const result = map(item);
      // Its rejection is handled in its turn.
      result.catch(() => {});
      underWay.push({ result });
    }
  }
}

async function* take<R>(underWay: { readonly result: Promise<R> }[], count: number): AsyncGenerator<R> {
  for (const { result } of underWay.splice(0, count)) yield await result;
}

/** Returns the result of a promise; never rejects. */
async function settle<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [settled] = await Promise.allSettled([promise]);
  return settled;
}
