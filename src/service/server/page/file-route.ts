import { type TSchema, Type } from '@sinclair/typebox';
import { answer } from '../http/answer.ts';
import { refusals } from '../http/refusals.ts';

/** Declares a route that answers with a file. */
export function fileRoute(operationId: string, summary: string, file: TSchema) {
  return {
    headers: Type.Object({
      'if-none-match': Type.Optional(Type.String({ description: '`ETag` of the cached file' })),
      'accept-encoding': Type.Optional(Type.String({ description: '`gzip` for a compressed file' })),
    }),
    response: {
      200: answer(file, { description: 'The file.', headers: ['ETag'] }),
      304: answer(Type.Undefined(), {
        description: 'The file is the one that `If-None-Match` names.',
        headers: ['ETag'],
      }),
      ...refusals('misdirected', 'internal'),
    },
    detail: {
      operationId,
      tags: ['Pages'],
      summary,
      description: `${summary}. Compressed for clients that accept gzip; 304 if the client has it already.`,
    },
  };
}
