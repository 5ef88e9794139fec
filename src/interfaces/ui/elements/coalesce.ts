/** A function that runs at the first of several calls in a row, and once more after the last of them. */
export interface Coalesced {
  call(): void;
  /** Forgets a run that is due. */
  cancel(): void;
}

/** Coalesces the calls of `run` that follow each other within `pauseMs`. */
export function coalesce(run: () => void, pauseMs: number): Coalesced {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (then: () => void) => () => {
    timer = undefined;
    then();
  };
  return {
    call() {
      const isFirst = timer === undefined;
      clearTimeout(timer);
      if (isFirst) run();
      timer = setTimeout(
        end(() => isFirst || run()),
        pauseMs,
      );
    },
    cancel() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
