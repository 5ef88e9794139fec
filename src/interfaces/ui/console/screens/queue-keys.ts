/** A queue that is worked off with the keyboard. */
export interface Queue {
  /** Takes an item out; the next one gets the focus. */
  leave(item: HTMLElement): void;
}

/** Keys that press a button of the current item, by the `data-key` of the button. */
const BUTTON_KEYS = ['a', 'r', 'u'];

/** Moves through the items of a list with J and K, and presses what they offer by their keys. */
export function queueKeys(list: HTMLElement, leaving: AbortSignal): Queue {
  const items = () => [...list.children].filter((one): one is HTMLElement => one instanceof HTMLElement);
  const current = () => items().find((item) => item.contains(document.activeElement)) ?? null;

  function move(by: number): void {
    const all = items();
    const item = current();
    const at = item === null ? (by > 0 ? 0 : all.length - 1) : all.indexOf(item) + by;
    all[Math.max(0, Math.min(all.length - 1, at))]?.focus();
  }

  const onKey = (event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const isTyping = target instanceof Element && target.matches('input, select, textarea, dialog *');
    if (isTyping || ctrlKey || metaKey || altKey) return;
    const pressed = key.toLowerCase();
    if (pressed === 'j') move(1);
    else if (pressed === 'k') move(-1);
    else if (BUTTON_KEYS.includes(pressed))
      current()?.querySelector<HTMLElement>(`[data-key="${pressed}"] button`)?.click();
    else return;
    event.preventDefault();
  };
  window.addEventListener('keydown', onKey, { signal: leaving });
  return {
    leave(item) {
      const all = items();
      const next = all[all.indexOf(item) + 1] ?? all[all.indexOf(item) - 1];
      item.remove();
      next?.focus();
    },
  };
}
