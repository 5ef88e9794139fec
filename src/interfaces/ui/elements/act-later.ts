import type { Speaker } from '../languages/speak.ts';
import { replaceChildren } from './dom.ts';

/** Returns the handler of a button whose code is loaded at the click; `said` reports if it does not come from the service. */
export function actLater(act: () => Promise<void>, said: HTMLElement, say: Speaker): () => void {
  return () => void act().catch(() => replaceChildren(said, say('refusal.unreachable')));
}
