import { expect, test } from 'bun:test';
import { apiDocument } from '#src/app/parts/api-document.ts';

const document = await apiDocument('');

test('each operation names what it answers if it succeeds, files by their media type', () => {
  const silent = Object.values(document.paths)
    .flatMap((operations) => Object.values(operations))
    .filter(({ responses }) => !Object.keys(responses).some((status) => /^2\d\d$/.test(status)));
  expect(silent).toEqual([]);
  expect(document.paths['/api/admin/backups/{name}']?.['get']?.responses?.['200']).toEqual({
    description: 'The backup.',
    headers: { 'X-Request-Id': expect.anything() },
    content: {
      'application/x-tar': { schema: expect.objectContaining({ contentMediaType: 'application/x-tar' }) },
    },
  });
});
