import { createRandom } from './random.ts';
import facts from './service-links.json' with { type: 'json' };

const { tenants, endings, files, forms } = facts.entries;
const TENANTS = tenants.flatMap((line) => line.split(' '));
const ENDINGS = endings.flatMap((line) => line.split(' '));
const FILES = files.flatMap((line) => line.split(' '));
const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const ALPHABETS: Readonly<Record<string, string>> = {
  d: DIGITS,
  h: `${DIGITS}abcdef`,
  l: LOWER,
  a: DIGITS + LOWER,
  u: `${DIGITS}ABCDEFGHJKMNPQRSTVWXYZ`,
  w: DIGITS + LOWER + LOWER.toUpperCase(),
  b: `${DIGITS}${LOWER}${LOWER.toUpperCase()}-_`,
};
const SEED = 7;

/** Documented forms of links that mail, protection and sharing services write, by service. */
export const SERVICE_FORMS: Readonly<Record<string, string>> = forms;

/** Draws honest links of a form; equal for equal forms. */
export function serviceLinks(form: string, count: number): string[] {
  const random = createRandom(SEED);
  const pick = <Item>(items: ArrayLike<Item>) => items[Math.floor(random() * items.length)] as Item;
  return Array.from({ length: count }, (_, at) => {
    const tenant = TENANTS[at % TENANTS.length] ?? '';
    const sender = `${tenant}.${ENDINGS[at % ENDINGS.length]}`;
    const named: Readonly<Record<string, string>> = {
      tenant,
      sender,
      file: pick(FILES),
      'base64 sender': btoa(`https://www.${sender}/news`),
    };
    return form.replaceAll(/\{([^}]+)\}/g, (_all, token: string) => {
      const alphabet = ALPHABETS[token[0] ?? ''] ?? '';
      return named[token] ?? Array.from({ length: Number(token.slice(1)) }, () => pick(alphabet)).join('');
    });
  });
}
