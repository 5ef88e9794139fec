import sentences from './ar.json' with { type: 'json' };
import type { Language } from './language.ts';
import { reasonTexts } from './reason-texts.ts' with { type: 'macro' };

/** Arabic. */
export const arabic = { sentences, ...reasonTexts('ar') } satisfies Language<'zero' | 'one' | 'two' | 'few' | 'many'>;
