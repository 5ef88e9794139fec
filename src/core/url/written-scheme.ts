/** An opening or closing bracket around a part that was marked. */
const OPEN = String.raw`[[({<]\s?`;
const CLOSE = String.raw`\s?[\])}>]`;

/** `http`, `hxxp`, `h**p`, `h00p`, `hxtp`, `ht tp`, `meow`, each with or without `s`, `[s]`, `(s)`. */
const NAME = String.raw`(?:h\s?(?:[tx*_+0?#^~zy-]\s?){1,3}[px]|meow)\s?(s|[[(]s[\])])?`;

const SLASHES = String.raw`(?:\\?[\\/]\s?|${OPEN}[\\/]{1,2}${CLOSE}){1,3}`;

/**
 * Source of an expression for a scheme as people and programs write it, defanged or not, with the slashes behind it:
 * `https://`, `hxxp[:]//`, `hxxp:\\`, `http[s]://`. Its first group is set for `https`. Use it with the flags `iu`.
 */
export const WRITTEN_SCHEME: string = String.raw`${NAME}\s{0,3}(?:${OPEN}:\s?[\\/]{1,2}${CLOSE}[\\/]{0,2}|(?::|${OPEN}:${CLOSE})\s{0,3}${SLASHES})`;
