import type { DocumentDecoration } from 'elysia';
import { refusals } from './doc-refusals.ts';

const FILE_HEADERS = {
  'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
  ETag: { $ref: '#/components/headers/ETag' },
};

function file(operationId: string, summary: string, contentType: string, schema: { type: 'string' | 'object' }) {
  return {
    operationId,
    tags: ['Pages'],
    summary,
    description: `${summary}. Compressed for clients that accept gzip; 304 for one that has it already.`,
    responses: {
      200: { description: 'The file.', headers: FILE_HEADERS, content: { [contentType]: { schema } } },
      304: { description: 'The file is the one that `If-None-Match` names.', headers: FILE_HEADERS },
      ...refusals(421, 500),
    },
  } satisfies DocumentDecoration;
}

/** What the OpenAPI document says of the pages under `basePath`, whose routes are made of files. */
export function pageDocs(basePath: string) {
  return {
    [`${basePath}/`]: { get: file('readPage', 'The web page', 'text/html', { type: 'string' }) },
    [`${basePath}/swagger`]: { get: file('readDocumentation', 'This documentation', 'text/html', { type: 'string' }) },
    [`${basePath}/swagger/json`]: {
      get: file('readOpenApi', 'This description as OpenAPI 3.1', 'application/json', { type: 'object' }),
    },
  };
}
