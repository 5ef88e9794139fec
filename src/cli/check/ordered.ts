/**
 * Maps the items of batches with up to `limit` of them under way, and yields the results in the order of the items.
 * Results come out as soon as they are due, also while the source has nothing new.
 */
export async function* mapInOrder<T, R>(
  batches: AsyncIterable<readonly T[]>,
  limit: number,
  map: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const iterator = batches[Symbol.asyncIterator]();
  const underWay: { readonly result: Promise<R> }[] = [];
  for (;;) {
    const next = iterator.next();
    const arrived = next.then(() => null);
    // Whichever comes first: more to do, or the oldest result.
    for (let [oldest] = underWay; oldest; [oldest] = underWay) {
      const first = await Promise.race([arrived, oldest.result.then((value) => ({ value }))]);
      if (first === null) break;
      underWay.splice(0, 1);
      yield first.value;
    }
    const { value: batch, done } = await next;
    for (const item of batch ?? []) {
      if (underWay.length >= limit) yield* take(underWay, 1);
      underWay.push({ result: map(item) });
    }
    if (done) return yield* take(underWay, underWay.length);
  }
}

async function* take<R>(underWay: { readonly result: Promise<R> }[], count: number): AsyncGenerator<R> {
  for (const { result } of underWay.splice(0, count)) yield await result;
}
