import { Kind, type TSchema, TypeRegistry } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { readShape, type Shaped } from '#src/core/base/text/json-shape.ts';
import { type BodyText, type BodyTextSource, documented } from './documented.ts';

/** Compiling the check of a result takes as long as a thousand walks over its schema: it pays from there on. */
const WALKS = 1000;

/** Elysia compiles each schema of a route with the first request to it, which would double the time of a first answer. */
const KIND = 'LurecheckAnswer';

type AnswerCheck = (value: unknown) => Shaped<TSchema>;

TypeRegistry.Set<{ check: AnswerCheck }>(KIND, ({ check }, value) => 'value' in check(value));

/** The schema of an answer of a route; a value that breaks it is a fault of ours, and is not sent. */
export function answer<T extends TSchema>(schema: T, text: BodyTextSource): T {
  return { ...documented(schema, text), [Kind]: KIND, check: checkOf(schema) };
}

/** The same for an answer of several parts, each of which is held against its own schema as it comes. */
export function answerInParts<T extends TSchema>(schema: T, text: BodyText): T {
  return { ...documented(schema, text), [Kind]: KIND, check: (value: unknown) => ({ value }) };
}

/** Describes how an answer violates its schema, without quoting the answer; null if it does not. */
export function breachOf(schema: TSchema, value: unknown): string | null {
  const check: AnswerCheck | undefined = schema['check'];
  const shaped = check?.(value);
  return shaped && 'problem' in shaped ? shaped.problem : null;
}

function checkOf(schema: TSchema): AnswerCheck {
  let walks = 0;
  let compiled: TypeCheck<TSchema> | null = null;
  return (value) => {
    if (walks++ < WALKS) return readShape(schema, value);
    compiled ??= TypeCompiler.Compile(schema);
    return compiled.Check(value) ? { value } : readShape(schema, value);
  };
}

/**
 * An answer that is sent piece by piece, as `write` has them. A client that goes away does not stop what brings them; what
 * is sent to it then is dropped.
 */
export function streamed(contentType: string, write: (send: (text: string) => void) => Promise<void>): Response {
  const encoder = new TextEncoder();
  let isOpen = true;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      await write((text) => {
        if (isOpen) controller.enqueue(encoder.encode(text));
      });
      if (isOpen) controller.close();
    },
    cancel() {
      isOpen = false;
    },
  });
  // The second keeps nginx from holding the pieces back.
  return new Response(body, { headers: { 'content-type': contentType, 'x-accel-buffering': 'no' } });
}
