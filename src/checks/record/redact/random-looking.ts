const MIN_RANDOM_LENGTH = 16;
const MIN_LENGTH_UNDER_A_NAME = 8;

/**
 * Returns whether a text is too irregular to have been written by a person: letters and digits that change all the time,
 * as in `4f1c9a0e7b3d8a21`, or letters of which few are vowels. `summer-holidays-2024` and `getMapStoresList` are not; neither is
 * a title with a number behind it, as blogs make them: `how-we-moved-house-3f2a9b1c4d5e`.
 */
export function isRandom(text: string): boolean {
  if (text.length < MIN_RANDOM_LENGTH) return false;
  const runs = text.split(/[^A-Za-z0-9]+/);
  const changes = runs.reduce((sum, run) => sum + changesOf(run), 0);
  const isIrregular = changes * 5 >= text.length || runs.some(isRandomRun);
  return isIrregular && !isTitle(runs);
}

/** Start times of videos. */
const DURATION = /^(?:\d+[dhms])+$/;

/**
 * Returns whether a text of 8 characters or more mixes letters and digits like a random value. Weaker evidence than
 * {@link isRandom}: only meaningful behind a name such as `key`.
 */
export function isRandomValue(text: string): boolean {
  if (text.length < MIN_LENGTH_UNDER_A_NAME || /[\s/.,:]/.test(text) || DURATION.test(text)) return false;
  const changes = text.split(/[^A-Za-z0-9]+/).reduce((sum, run) => sum + changesOf(run), 0);
  return changes >= 3 && changes * 4 >= text.length;
}

/**
 * Returns whether five to seven letters and digits without a separator change often between kinds, as in `4aBcDe` and
 * `X7K2QP`. The model name `WH1000` changes too rarely.
 */
export function isShortRandomValue(text: string, minChanges = 2): boolean {
  return /^[A-Za-z\d]{5,7}$/.test(text) && !DURATION.test(text) && changesOf(text) >= minChanges;
}

/** Hashes of MD5, SHA-1 and SHA-256 length. */
const HASH = /^(?=.*[a-f])(?=.*\d)(?:[a-f\d]{32}|[a-f\d]{40}|[a-f\d]{64})$/i;

function isRandomRun(run: string): boolean {
  if (run.length < MIN_RANDOM_LENGTH) return false;
  const changes = changesOf(run);
  if (changes * 6 >= run.length || HASH.test(run)) return true;
  const letters = run.replace(/\d+/g, '').length;
  const vowels = run.replace(/[^aeiouy]+/gi, '').length;
  return letters >= MIN_RANDOM_LENGTH && vowels * 4 < letters;
}

const WORD = /^(?:[A-Z]?[a-z]{2,}|[A-Z]{3,})$/;
const MIN_WORDS = 2;

/** Returns true for two or more words with vowels and at most one other run. */
function isTitle(runs: readonly string[]): boolean {
  const words = runs.filter((run) => WORD.test(run) && /[aeiouy]/i.test(run));
  return words.length >= MIN_WORDS && runs.filter((run) => changesOf(run) > 0).length <= 1;
}

/**
 * Counts changes between digits, capitals and small letters. A capital that begins a word does not count:
 * `resetPasswordNow` has none.
 */
function changesOf(run: string): number {
  let changes = 0;
  let kind = kindOf(run, 0);
  let since = 0;
  for (let at = 1; at < run.length; at++) {
    const next = kindOf(run, at);
    if (next === kind) continue;
    const isWord =
      kind === 'small' && next === 'capital' && at - since >= 3 && isSmall(run, at + 1) && isSmall(run, at + 2);
    if (!isWord && !(kind === 'capital' && next === 'small')) changes++;
    if (kind !== 'capital' || next !== 'small') since = at;
    kind = next;
  }
  return changes;
}

type Kind = 'digit' | 'capital' | 'small';

/** Returns the kind of an ASCII letter or digit. */
function kindOf(run: string, at: number): Kind {
  const code = run.charCodeAt(at);
  return code <= 57 ? 'digit' : code <= 90 ? 'capital' : 'small';
}

function isSmall(run: string, at: number): boolean {
  return at < run.length && kindOf(run, at) === 'small';
}
