import type { Quarantine } from './guard.ts';

const WHY: Readonly<Record<Quarantine, string>> = {
  public_suffix: 'is a public suffix, shared by many sites',
  platform: 'is a platform on which anybody can publish',
  own_domain: 'is one of your own domains',
  popular_site: 'is one of the 10,000 most popular sites',
  private_addresses: 'contains non-public addresses',
};

/** Why an entry is not applied, as the end of a sentence. */
export function whyHeldBack(why: Quarantine): string {
  return WHY[why];
}
