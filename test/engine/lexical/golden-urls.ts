import { type Golden, readGolden } from '#src/engine/lexical/golden.ts';
import goldenText from '#src/engine/models/golden.tsv' with { type: 'text' };

/** What the model that ships saw of some URLs when it was trained. */
export const golden: Golden = readGolden(goldenText);

/** URLs whose predictions are pinned: pages that everybody knows, and made-up ones of the kinds that phishing uses. */
export const goldenUrls: readonly string[] = golden.rows.map(({ url }) => url);
