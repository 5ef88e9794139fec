import { prependBrands, readBrandTable } from '../brands/brands.ts';
import type { Knowledge } from '../index.ts';
import file from './mail-brands.json' with { type: 'json' };

const known = new WeakMap<object, Knowledge>();

/** Returns the knowledge with further brands that mails claim, behind those of the operator and of links. */
export function withMailBrands(knowledge: Knowledge): Knowledge {
  const before = known.get(knowledge.brands);
  if (before) return before;
  const further = readBrandTable(file, 'mail-brands.json');
  const extended = { ...knowledge, brands: prependBrands(knowledge.brands.all, further) };
  known.set(knowledge.brands, extended);
  return extended;
}
