/**
 * Does some work now and every `everyMs`, never twice at once, until it is disposed of. Of failures in a row `onFailure` is
 * told the first.
 */
export function regularly(everyMs: number, work: () => Promise<void>, onFailure: (error: unknown) => void): Disposable {
  let isBusy = false;
  let isFailing = false;

  async function once(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    try {
      await work();
      isFailing = false;
    } catch (error) {
      if (!isFailing) onFailure(error);
      isFailing = true;
    }
    isBusy = false;
  }

  void once();
  const timer = setInterval(() => void once(), everyMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
