import { preference } from '../shell/preference.ts';

const stored = preference('visibility');
const ofTab = preference('visibility', () => sessionStorage);

/**
 * Returns true if the reader chose private checks, in this tab or as remembered. The tab's choice survives a reload,
 * which must not publish anything. Null if nothing was chosen.
 */
export function chosenPrivate(): boolean | null {
  return readChoice(ofTab.read()) ?? rememberedPrivate();
}

/** Returns the remembered choice of private checks; null if none is remembered. */
export function rememberedPrivate(): boolean | null {
  return readChoice(stored.read());
}

/** Remembers the choice, or, for null, none. */
export function rememberPrivate(isPrivate: boolean | null): void {
  stored.write(isPrivate === null ? null : choiceOf(isPrivate));
}

/** Notes the choice for as long as the tab is open. */
export function chosenForTab(isPrivate: boolean): void {
  ofTab.write(choiceOf(isPrivate));
}

const choiceOf = (isPrivate: boolean) => (isPrivate ? 'private' : 'public');

const readChoice = (value: string | null) => (value === 'private' || value === 'public' ? value === 'private' : null);
