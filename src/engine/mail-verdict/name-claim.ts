import type { Brand } from '#src/core/knowledge/brands/brands.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { BESIDE_FIRM } from '#src/core/knowledge/mail/mail-senders.ts';
import { claimedBrands } from './claimed-brands.ts';
import { isForeignTo, type MailSender } from './mail-sender.ts';
import { plainWords } from './plain-words.ts';
import type { Confirmation } from './sender-confirmation.ts';

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
  const brand = claimedBrands(knowledge).inName(name);
  if (brand === null || !isForeignTo(sender, brand, knowledge)) return null;
  const isAlias = (word: string) => brand.aliases.some((alias) => alias.name === word);
  const others = plainWords(name).filter((word) => word.length > 2 && !BESIDE_FIRM.has(word) && !isAlias(word));
  if (others.some((word) => local.includes(word))) return null;
  const labels = (site.split('.')[0] ?? '').split('-');
  const isFirm = state === 'passed' && !sender.isFreemail;
  return { brand, isNamedSo: isFirm && labels.some((label) => isAlias(label) || others.includes(label)) };
}
