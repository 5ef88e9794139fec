/** Formats a count with its noun, such as `1 check` and `2 checks`; `several` is an irregular plural. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
