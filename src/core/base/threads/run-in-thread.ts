import { IS_EXECUTABLE } from '../version.ts';

/** A task for a thread of its own. */
export interface LoneTask {
  /** Entry point of the thread, by its path in `src`. It posts its answer and nothing else. */
  readonly entryPoint: string;
  readonly message: unknown;
  /** Buffers of the message that are handed over and not copied. */
  readonly transfer?: ArrayBuffer[];
  /** Name of the work, for the error of a thread that fails. */
  readonly work: string;
}

/** Does one task in a thread that ends afterwards, and so returns its memory. Throws if the thread fails. */
export async function runInThread<Answer>({ entryPoint, message, transfer = [], work }: LoneTask): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const worker = new Worker(workerUrl(entryPoint));
  worker.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
  worker.onerror = (error) => reject(new Error(`the thread that ${work} failed: ${error.message}`));
  worker.postMessage(message, transfer);
  return await promise.finally(() => worker.terminate());
}

/**
 * The address of a worker's entry point, given by its path in `src`. In the executable all code of the main thread lies
 * in one file at the root, and each entry point under the path that it has in `src`: a path relative to the module that
 * starts the worker would only be right from source.
 */
export function workerUrl(pathInSrc: string): URL {
  return new URL(IS_EXECUTABLE ? `./${pathInSrc}` : `../../../${pathInSrc}`, import.meta.url);
}
