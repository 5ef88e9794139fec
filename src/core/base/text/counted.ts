/** So many things in English, such as `1 check` and `2 checks`; `several` where an s is not all that it takes. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
