import type { Language } from './language.ts';
import sentences from './pt.json' with { type: 'json' };
import { reasonTexts } from './reason-texts.ts' with { type: 'macro' };

/** Portuguese, as in Brazil. */
export const portuguese = { sentences, ...reasonTexts('pt') } satisfies Language<'one'>;
