import { preference } from '../shell/preference.ts';

const stored = preference('visibility');
const ofTab = preference('visibility', () => sessionStorage);

/**
 * Returns true if checks are private as the reader chose it: in this tab, so that a reload makes nothing public, else as
 * remembered. Null where nothing was chosen.
 */
export function chosenPrivate(): boolean | null {
  return readChoice(ofTab.read()) ?? rememberedPrivate();
}

/** Returns true if checks are private as the reader had it remembered; null where that was not asked for. */
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
