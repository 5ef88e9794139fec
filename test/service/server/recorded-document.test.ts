import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { openApiDocument } from '#src/service/server/docs/openapi.ts';
import { parseAs } from '#test/support/parse-as.ts';

/** Members of the document whose text is for people, if it is a text. */
const PROSE: ReadonlySet<string> = new Set(['description', 'summary', 'detail', 'message']);

/** A part of the document without its prose, as JSON. */
const withoutProse = (part: unknown) =>
  JSON.stringify(part, (key, value) => (PROSE.has(key) && typeof value === 'string' ? undefined : value));

// Where the interface is meant to change: look at the difference, then `bun test --update-snapshots` with this file.
test('every operation, schema and header is as recorded, with its bounds and examples', async () => {
  const document = await openApiDocument('');
  const { schemas, headers } = parseAs(
    Type.Object({ schemas: Type.Record(Type.String(), Type.Unknown()), headers: Type.Unknown() }),
    document.components,
  );
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
  const parts = [...operations, ...Object.entries(schemas), ['headers', headers] as const];
  const lines = parts.map(([name, part]) => {
    const hash = new Bun.CryptoHasher('sha256').update(withoutProse(part)).digest('hex').slice(0, 8);
    return `${hash} ${name}`;
  });
  expect(lines.join('\n')).toMatchSnapshot();
});
