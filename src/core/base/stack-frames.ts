/**
 * Returns the stack frames of an error without its message, which may quote the URL of a private check. The message is
 * removed first, because a multi-line message could contain lines like frames. Empty if it is not an Error.
 */
export function stackFrames(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const frames = (error.stack ?? '').replace(error.message, () => '');
  return frames.split('\n').filter((line) => /^\s+at /.test(line));
}
