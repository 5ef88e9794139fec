import { type TInteger, type TNumber, type TString, Type } from '@sinclair/typebox';

/** A member that may be null. */
export function nullable<T extends TString | TInteger | TNumber>(schema: T, description: string) {
  return Type.Union([schema, Type.Null()], { description });
}
