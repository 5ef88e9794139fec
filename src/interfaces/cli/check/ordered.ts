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
