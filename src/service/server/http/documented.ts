import type { TSchema } from '@sinclair/typebox';

/** Headers of answers, as the document describes them. */
export const ANSWER_HEADERS = {
  'X-Request-Id': header('Identifier of the request (UUIDv7)', '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b'),
  'RateLimit-Policy': header(
    'The limit that the client is closest to, its own (`default`) or that of its IPv6 /48 (`network`): `q` checks in `w` seconds; absent if unlimited',
    '"default";q=20;w=60',
  ),
  RateLimit: header('`r` checks remain; another one is admitted after `t` seconds', '"default";r=12;t=31'),
  ETag: header('Tag of the file, for `If-None-Match`', 'W/"9a0364b9e99bb480dd25e1f0284c8555"'),
  'Retry-After': header('Seconds to wait before a retry', '31'),
};

function header(description: string, example: string) {
  return { description, schema: { type: 'string' as const }, example };
}

/** Documentation of a body beyond its schema. */
export interface BodyText {
  readonly description: string;
  /** Absent if there is no body, or if the document would contain itself. */
  readonly example?: unknown;
  /** Several, by a name for each. */
  readonly examples?: Readonly<Record<string, object>>;
  /** Headers of an answer beside `X-Request-Id`, which each has. */
  readonly headers?: readonly (keyof typeof ANSWER_HEADERS)[];
}

/** Documentation of a body; a function if it is created when the document is written. */
export type BodyTextSource = BodyText | (() => BodyText);

/** The schema of a body with what the document says of it: a copy, because Elysia writes into the schemas that it is given. */
export function documented<T extends TSchema>(schema: T, text: BodyTextSource): T {
  return { ...schema, documented: typeof text === 'function' ? { toJSON: text } : text };
}
