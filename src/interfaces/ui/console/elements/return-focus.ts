/** Remembers what has the focus, and gives it back when the returned function is called, unless it is gone by then. */
export function returnFocus(): () => void {
  const holder = document.activeElement;
  return () => {
    if (holder instanceof HTMLElement) holder.focus();
  };
}
