import type { Speaker } from '../languages/speak.ts';
import { type Child, html, replaceChildren } from './dom.ts';

/** A place whose content comes from the service when it is needed. */
export interface LoadedPlace {
  readonly element: HTMLElement;
  /** Loads and shows the content, once. Rejects if it does not come. */
  fill(): Promise<void>;
  /** Does the same, and says in the place if it does not come. */
  show(): Promise<void>;
}

/** Builds the place, which is hidden while it is empty. */
export function loadedPlace(load: () => Promise<Child>, say: Speaker): LoadedPlace {
  const element = html('div', { hidden: true });
  let isFilled = false;

  async function fill(): Promise<void> {
    const content = await load();
    if (!isFilled) put(content);
    isFilled = true;
  }

  function put(content: Child): void {
    replaceChildren(element, content);
    element.hidden = element.childNodes.length === 0;
  }

  return { element, fill, show: () => fill().catch(() => put(say('refusal.unreachable'))) };
}

/** Returns the handler of a button whose code is loaded at the click; `said` reports if it does not come from the service. */
export function actLater(act: () => Promise<void>, said: HTMLElement, say: Speaker): () => void {
  return () => void act().catch(() => replaceChildren(said, say('refusal.unreachable')));
}
