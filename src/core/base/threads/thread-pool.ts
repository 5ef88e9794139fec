/** A thread with what belongs to it. */
export interface PooledThread {
  readonly worker: Worker;
}

/** Work for one thread. */
export interface ThreadTask<Thread extends PooledThread> {
  /** Runs before tasks that are not urgent and still wait. */
  readonly isUrgent?: boolean;
  /**
   * Sends the task to a thread. The returned function is called once the thread has answered or was terminated.
   *
   * @param end terminates the thread; the task fails with the error
   */
  begin(thread: Thread, end: (error: Error) => void): () => void;
}

/** A task that waits or runs. */
export interface ThreadRun {
  /** Resolves to what the thread posts. Rejects with the error of {@link end}, or if the thread fails. */
  readonly answer: Promise<unknown>;
  isWaiting(): boolean;
  /** Takes the task out of the queue, or terminates its thread; no effect on a finished task. */
  end(error: Error): void;
}

/**
 * Time in which no task begins, although some wait, until a further thread is started, in milliseconds: a thread takes much longer
 * to start, and to get up to speed, than a usual task takes.
 */
const PATIENCE_MS = 250;

/** Threads that do one task at a time each; further tasks wait. */
export interface ThreadPool<Thread extends PooledThread> {
  run(task: ThreadTask<Thread>): ThreadRun;
  /** Fails all tasks with the error, and terminates all threads. */
  close(error: Error): Promise<void>;
}

interface Job<Thread extends PooledThread> {
  readonly task: ThreadTask<Thread>;
  readonly settle: PromiseWithResolvers<unknown>;
  /** Terminates its thread; null while it waits. */
  terminate: ((error: Error) => void) | null;
}

/**
 * Creates a pool.
 *
 * @param threads maximum number of threads
 * @param start starts a thread: on first use, while the others are busy for long, and again after one was terminated
 * @param failure returns the error of a task whose thread failed
 */
export function createThreadPool<Thread extends PooledThread>(
  threads: number,
  start: () => Thread,
  failure: (message: string) => Error,
): ThreadPool<Thread> {
  const idle: Thread[] = [];
  const running = new Set<Job<Thread>>();
  const waiting: Job<Thread>[] = [];
  let closed: Error | null = null;
  /** Runs since the last task began, while others wait for a thread. */
  let patience: ReturnType<typeof setTimeout> | undefined;

  function next(): void {
    while (waiting.length > 0 && running.size < threads) {
      if (idle.length === 0 && running.size > 0) {
        patience ??= setTimeout(startFurther, PATIENCE_MS);
        return;
      }
      begin(idle.pop() ?? start());
    }
  }

  function startFurther(): void {
    patience = undefined;
    if (waiting.length > 0 && running.size < threads) begin(idle.pop() ?? start());
    next();
  }

  function begin(thread: Thread): void {
    const job = waiting.shift();
    if (!job) return;
    clearTimeout(patience);
    patience = undefined;
    const { worker } = thread;
    const leave = () => {
      worker.onmessage = null;
      worker.onerror = null;
      running.delete(job);
      release();
    };
    job.terminate = (error) => {
      if (!running.has(job)) return;
      leave();
      worker.terminate();
      job.settle.reject(error);
      next();
    };
    running.add(job);
    worker.onmessage = ({ data }: MessageEvent<unknown>) => {
      leave();
      idle.push(thread);
      job.settle.resolve(data);
      next();
    };
    worker.onerror = ({ message }) => job.terminate?.(failure(message));
    const release = job.task.begin(thread, job.terminate);
  }

  return {
    run(task) {
      const job: Job<Thread> = { task, settle: Promise.withResolvers(), terminate: null };
      const firstOther = task.isUrgent ? waiting.findIndex((other) => !other.task.isUrgent) : -1;
      if (closed) job.settle.reject(closed);
      else {
        waiting.splice(firstOther === -1 ? waiting.length : firstOther, 0, job);
        next();
      }
      return {
        answer: job.settle.promise,
        isWaiting: () => waiting.includes(job),
        end(error) {
          const at = waiting.indexOf(job);
          if (at !== -1) waiting.splice(at, 1);
          if (job.terminate) job.terminate(error);
          else job.settle.reject(error);
        },
      };
    },
    async close(error) {
      closed = error;
      clearTimeout(patience);
      for (const job of waiting.splice(0)) job.settle.reject(error);
      for (const job of [...running]) job.terminate?.(error);
      await Promise.all(idle.splice(0).map(({ worker }) => worker.terminate()));
    },
  };
}
