/**
 * Where an error was thrown, without its message, which may quote the URL of a private check. The message is taken out
 * first: one of several lines could look like frames itself. Empty for what is no Error.
 */
export function stackFrames(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const frames = (error.stack ?? '').replace(error.message, () => '');
  return frames.split('\n').filter((line) => /^\s+at /.test(line));
}
