import sentences from './fr.json' with { type: 'json' };
import type { Language } from './language.ts';
import { reasonTexts } from './reason-texts.ts' with { type: 'macro' };

/** French. */
export const french = { sentences, ...reasonTexts('fr') } satisfies Language<'one'>;
