import facts from './ordinary-words.json' with { type: 'json' };
import { createRandom } from './random.ts';

const { qualities, things, trades, families, foreign, places } = facts.entries;

/** How a name is put together, each as likely. */
const PATTERNS: readonly (readonly (readonly string[])[])[] = [
  [qualities, things],
  [things, trades],
  [qualities, trades],
  [families, trades],
  [families, foreign],
  [foreign, places],
  [trades, places],
  [qualities, things, trades],
];

/** Made-up names such as shops, firms and clubs choose, in several languages; each once, the same ones for the same seed. */
export function ordinaryNames(count: number, seed: number): string[] {
  const random = createRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const names = new Set<string>();
  while (names.size < count)
    names.add(
      pick(PATTERNS)
        .map(pick)
        .join(random() < 0.3 ? '-' : ''),
    );
  return [...names];
}
