import { IS_EXECUTABLE } from '../is-executable.ts';

/**
 * The address of a worker's entry point, given by its path in `src`. In the executable all code of the main thread lies
 * in one file at the root, and each entry point under the path that it has in `src`: a path relative to the module that
 * starts the worker would only be right from source.
 */
export function workerUrl(pathInSrc: string): URL {
  return new URL(IS_EXECUTABLE ? `./${pathInSrc}` : `../../../${pathInSrc}`, import.meta.url);
}
