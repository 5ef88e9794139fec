import { html } from './dom.ts';

/** A choice of a menu: its words, and what it does. */
export type MenuChoice = readonly [text: string, act: () => void];

/**
 * A button that opens a menu (the menu button pattern of the ARIA practices): arrow keys, Home and End move through it, Escape
 * closes it, and so does leaving it. What it does begins with the focus back on the button.
 */
export function menu(label: string, choices: readonly MenuChoice[]): HTMLElement {
  const items = choices.map(([text, act]) =>
    html('button', { type: 'button', role: 'menuitem', tabindex: -1, click: () => choose(act) }, text),
  );
  const list = html('div', { role: 'menu', 'aria-label': label, class: 'menu-list', hidden: true }, items);
  const button = html(
    'button',
    { type: 'button', class: 'menu-button', 'aria-haspopup': 'menu', 'aria-expanded': 'false', click: toggle },
    label,
  );

  function setOpen(isOpen: boolean): void {
    list.hidden = !isOpen;
    button.setAttribute('aria-expanded', String(isOpen));
  }

  function toggle(): void {
    const isOpen = list.hidden === false;
    setOpen(!isOpen);
    if (!isOpen) items[0]?.focus();
  }

  function choose(act: () => void): void {
    setOpen(false);
    button.focus();
    act();
  }

  function onKey(event: Event): void {
    if (!(event instanceof KeyboardEvent)) return;
    const { key } = event;
    const at = items.findIndex((item) => item.isSameNode(document.activeElement));
    const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? items.length - 1 : at - 1, Home: 0, End: items.length - 1 }[key];
    if (key === 'Escape' && !list.hidden) {
      setOpen(false);
      button.focus();
    } else if (to === undefined) return;
    else {
      setOpen(true);
      items.at(to % items.length)?.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  const place = html(
    'div',
    {
      class: 'menu',
      keydown: onKey,
      focusout: (event) => {
        const to = event instanceof FocusEvent ? event.relatedTarget : null;
        if (!(to instanceof Node && place.contains(to))) setOpen(false);
      },
    },
    button,
    list,
  );
  return place;
}
