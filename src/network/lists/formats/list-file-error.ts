/** Thrown for a file that could not be read to its end; the message states why, as the end of a sentence. */
export class ListFileError extends Error {
  override readonly name = 'ListFileError';
}
