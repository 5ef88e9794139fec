import type { COUNTED, REASONS, WAYS } from './catalogue.ts';
import type { MESSAGE_REASONS } from './message-catalogue.ts';

type Row = (typeof REASONS)[number];
type MessageRow = (typeof MESSAGE_REASONS)[number];

type Gaps<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Gaps<Rest> : never;

type Filled<Text> = {
  readonly [Name in Gaps<Text>]: Name extends (typeof COUNTED)[number] ? number : string;
};

type ArgsIn<One> = One extends readonly [number, string, infer Text, infer Kind]
  ? { readonly kind: Kind } & Filled<Text>
  : One extends readonly [number, string, infer Text]
    ? Filled<Text>
    : never;

type KeyIn<One> = One extends readonly [number, infer Code extends string, string, infer Kind extends string]
  ? `${Code}.${Kind}`
  : One extends readonly [number, infer Code extends string, string]
    ? Code
    : never;

/** Code of a reason. */
export type ReasonCode = Row[1];

/** Code of a reason of a verdict on a message. */
export type MessageReasonCode = MessageRow[1];

/** Code of a sentence, with its kind if the code has several. */
export type ReasonKey = KeyIn<Row>;

/** Arguments of a code's sentence, with its `kind` if the code has several; see the catalogue. */
export type ArgsOf<Code extends ReasonCode | MessageReasonCode> = Code extends ReasonCode | MessageReasonCode
  ? ArgsIn<Extract<Row | MessageRow, readonly [number, Code, ...unknown[]]>>
  : never;

/** `Omit` for each member of a union. */
export type OmitEach<T, Name extends PropertyKey> = T extends unknown ? Omit<T, Name> : never;

/** Arguments of any code. */
export type ReasonArgs = Readonly<Record<string, string | number>>;

/** Kind of the step to another URL that a reason is about; `inside` for a URL inside the link. */
export type WayKind = (typeof WAYS)[number][1];

/** Another URL than the checked one that a reason is about. */
export interface ReasonWay {
  readonly how: WayKind;
  readonly host: string;
}

/** A reason as data; its sentence is composed from the catalogue for display. */
export interface GivenReason {
  readonly code: string;
  readonly args: ReasonArgs;
  /** From the checked URL on; absent for a reason about that URL. */
  readonly ways?: readonly ReasonWay[];
}
