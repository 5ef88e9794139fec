import { withoutInvisible } from '#src/core/base/text/untrusted-text.ts';
import type { Brand } from '#src/core/knowledge/brands/brands.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { BESIDE_FIRM, BRAND_NAMES } from '#src/core/knowledge/mail/mail-senders.ts';
import { toPlainLookAlike } from '#src/core/url/confusable.ts';
import { isForeignTo, type MailSender, plainWords } from './mail-sender.ts';
import type { Confirmation } from './sender-confirmation.ts';

/** Finds brands in texts that people read. */
export interface ClaimedBrands {
  /** Returns the brands that a sender's name claims: it contains a distinctive name, or is nothing but a brand's name. */
  inName(name: string): readonly Brand[];
  /** Returns the brands whose distinctive names a text has, each once. */
  inText(text: string): readonly Brand[];
}

/** Maximum number of words of a brand's name, and of a text that are read. */
const MAX_NAME_WORDS = 4;
const MAX_WORDS = 500;
const MAX_TEXT = 4096;

/** Shorter names are words or abbreviations of anything. */
const MIN_DISTINCTIVE = 5;

/** Words; those of scripts that set no spaces end at letters of another script. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[[\p{L}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]]+/gv;
const SPACELESS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** A word with letters of another script than Latin beside Latin ones. */
const MIXED = /[a-z].{0,60}[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}].{0,60}[a-z]/u;

/** Words beside a firm's name in scripts that set no spaces. */
const BESIDE_SPACELESS: readonly string[] = [...BESIDE_FIRM].flatMap(wordsOf).filter((word) => SPACELESS.test(word));

const known = new WeakMap<object, ClaimedBrands>();

/** Returns the search for the brands that are known; built once for a table. */
export function claimedBrands({ brands }: Pick<Knowledge, 'brands'>): ClaimedBrands {
  const before = known.get(brands);
  if (before) return before;
  const distinctive = new Map<string, Brand>();
  const all = new Map<string, Brand>();
  const spaceless = new Map<string, Brand>();
  for (const brand of brands.all) {
    for (const name of (BRAND_NAMES.get(brand.name) ?? []).map(wordsOf))
      placeOf(name, { distinctive, spaceless, all }).getOrInsert(name.join(''), brand);
    const words = wordsOf(brand.name);
    const spelled = words.join('');
    const names = [...brand.aliases, ...(words.length > 1 ? [{ name: spelled, weight: 'apart' } as const] : [])];
    for (const { name, weight } of names) {
      if (!all.has(name)) all.set(name, brand);
      const isDistinctive = weight !== 'second_cause' && (name.length >= MIN_DISTINCTIVE || brand.isConfigured);
      if (isDistinctive && !distinctive.has(name)) distinctive.set(name, brand);
    }
    if (!all.has(spelled)) all.set(spelled, brand);
  }
  const find = (words: readonly string[]): Brand[] => {
    const found = new Set<Brand>();
    for (let at = 0; at < words.length; at++)
      for (let name = '', count = 0; count < MAX_NAME_WORDS && at + count < words.length; count++) {
        name += words[at + count] ?? '';
        const brand = distinctive.get(name);
        if (brand) found.add(brand);
      }
    return [...found];
  };
  const inWords = (words: readonly string[], isIn: (word: string, name: string) => boolean): Brand[] => {
    const written = words.filter((word) => SPACELESS.test(word));
    return [...spaceless].flatMap(([name, brand]) => (written.some((word) => isIn(word, name)) ? brand : []));
  };
  const created: ClaimedBrands = {
    inName(name) {
      const words = wordsOf(name);
      const alone = words.filter((word) => !BESIDE_FIRM.has(word)).join('');
      const claimed = [...find(words), ...inWords(words, isFirm)];
      return claimed.length > 0 ? claimed : [all.get(alone) ?? all.get(words.join('')) ?? []].flat();
    },
    inText(text) {
      const words = wordsOf(text.slice(0, MAX_TEXT));
      return [...new Set([...find(words), ...inWords(words, (word, name) => name.length > 2 && word.includes(name))])];
    },
  };
  known.set(brands, created);
  return created;
}

/** Returns the table for a further name of a brand: one word may be that of anything, unless its script sets no spaces. */
function placeOf<Table>(
  words: readonly string[],
  tables: Readonly<Record<'distinctive' | 'spaceless' | 'all', Table>>,
) {
  const { distinctive, spaceless, all } = tables;
  return words.length > 1 ? distinctive : SPACELESS.test(words[0] ?? '') ? spaceless : all;
}

/** Returns words in lower case without marks; letters of other scripts that look like ASCII are read as such. */
function wordsOf(text: string): string[] {
  const plain = withoutInvisible(text)
    .normalize('NFKD')
    .replace(/[\p{M}’']+/gu, '')
    .toLowerCase();
  const words = plain.match(WORD)?.slice(0, MAX_WORDS) ?? [];
  return words.map((word) => (MIXED.test(word) ? toPlainLookAlike(word) : word));
}

/** Returns true for the name of a firm, alone or beside words such as those for its service, in a script without spaces. */
function isFirm(word: string, name: string): boolean {
  const rest = word.startsWith(name) ? word.slice(name.length) : null;
  const isBegin = rest !== null && (rest === '' || BESIDE_SPACELESS.some((one) => rest.startsWith(one)));
  return isBegin || BESIDE_SPACELESS.some((one) => word === `${one}${name}`);
}

/** Brand that the name of a sender claims without being it, as far as is known. */
export interface NameClaim {
  readonly brand: Brand;
  /**
   * True for a confirmed sender whose domain the table of brands lacks: its site has the brand's name as a word of its own, as
   * in `amazon.jobs`, or another word of its name, as the many banks of one group do.
   */
  readonly isNamedSo: boolean;
}

/** Returns the brand that a sender's name claims; null if there is none, or the brand's name is that of a person. */
export function nameClaimOf(sender: MailSender, { state }: Confirmation, knowledge: Knowledge): NameClaim | null {
  const { name, site, local } = sender;
  const brands = claimedBrands(knowledge).inName(name);
  const [brand] = brands;
  // One of the names may be within another, or that of the firm through which the sender writes.
  if (brand === undefined || brands.some((one) => !isForeignTo(sender, one, knowledge))) return null;
  const isAlias = (word: string) => brand.aliases.some((alias) => alias.name === word);
  const others = plainWords(name).filter((word) => word.length > 2 && !BESIDE_FIRM.has(word) && !isAlias(word));
  if (others.some((word) => local.includes(word))) return null;
  const labels = (site.split('.')[0] ?? '').split('-');
  const isFirm = state === 'passed' && !sender.isFreemail;
  return { brand, isNamedSo: isFirm && labels.some((label) => isAlias(label) || others.includes(label)) };
}
