import sentences from './en.json' with { type: 'json' };
import { reasonTexts } from './reason-texts.ts' with { type: 'macro' };

/** English: complete, and what every other language is measured by. */
export const english = { sentences, ...reasonTexts('en') };
