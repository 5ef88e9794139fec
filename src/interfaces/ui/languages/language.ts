import type { english } from './en.ts';
import type { ReasonTexts } from './reason-texts.ts';

/** Names a sentence of the page. */
export type SentenceKey = keyof (typeof english)['sentences'];

/** Names a sentence with a number in it, which is written in as many forms as its language has. */
export type PluralKey = { [Key in SentenceKey]: Key extends `${infer Stem}.other` ? Stem : never }[SentenceKey];

type Plural = Exclude<Intl.LDMLPluralRule, 'other'>;

/**
 * A language of the page, whole: what is missing is an error of types.
 *
 * @typeParam Forms the plural forms that the language has beside `other` (Unicode CLDR)
 */
export interface Language<Forms extends Plural = never> extends ReasonTexts {
  /** Every sentence by its key; `{name}` is filled in. Keys that end in `.one`, `.few`, `.other` are plural forms. */
  readonly sentences: Readonly<
    Record<Exclude<SentenceKey, `${PluralKey}.${Plural}`> | `${PluralKey}.${Forms}`, string>
  >;
}
