/**
 * Runs work now and every `everyMs` without overlap, until it is disposed of. Reports the first of consecutive
 * failures.
 */
export function runEvery(everyMs: number, work: () => Promise<void>, onFailure: (error: unknown) => void): Disposable {
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
