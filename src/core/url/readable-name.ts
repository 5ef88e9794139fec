/** Scripts of which one writes a label; Japanese and Korean are written with Chinese letters too. */
const SCRIPTS = [
  ...[
    'Latin',
    'Cyrillic',
    'Greek',
    'Arabic',
    'Hebrew',
    'Devanagari',
    'Bengali',
    'Tamil',
    'Thai',
    'Georgian',
    'Armenian',
  ],
  ...['Hangul}\\p{sc=Han', 'Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{Lm'],
].map((name) => new RegExp(`^[\\p{sc=${name}}\\d-]+$`, 'u'));

/** Latin letters of European languages, whose accents are seen at a glance; not those with a mark below. */
const USUAL_LATIN = /^[a-z\d\u00df-\u017e-]*$/;

/** Maximum length of a label in Unicode. */
const MAX_LABEL = 63;

/**
 * Returns true if a host in Unicode can be shown as it was written, since it is not taken for another one: each label is in one
 * script, and is Latin without look-alikes, or has a letter that looks like no Latin one.
 *
 * @param isLookAlike returns true for a character that looks like ASCII; letters with an accent are not asked for
 */
export function isReadableName(name: string, isLookAlike: (character: string) => boolean): boolean {
  return name.split('.').every((label) => {
    if (label.length > MAX_LABEL || !SCRIPTS.some((script) => script.test(label))) return false;
    const letters = [...label].filter((one) => /[^\P{L}a-z]/u.test(one));
    const alike = letters.filter((one) => !/^[a-z]\p{M}/u.test(one.normalize('NFD')) && isLookAlike(one));
    if (/\p{sc=Latin}/u.test(label)) return USUAL_LATIN.test(label) && alike.length === 0;
    return letters.length === 0 || alike.length < letters.length;
  });
}
