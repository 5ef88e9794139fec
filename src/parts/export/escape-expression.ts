/** A text as a regular expression that finds it, in the languages of POSIX, Perl and JavaScript alike. */
export function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
