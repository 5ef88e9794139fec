import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { apiDocument } from '#src/app/parts/api-document.ts';
import { parseAs } from '#test/support/parse-as.ts';

const OTHERS = { additionalProperties: Type.Unknown() };

const DocumentSchema = Type.Object(
  {
    paths: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())),
    components: Type.Object({ schemas: Type.Record(Type.String(), Type.Unknown()), headers: Type.Unknown() }),
    info: Type.Object({}, OTHERS),
  },
  OTHERS,
);

/** Members of the document whose text is for people, if it is a text. */
const PROSE: ReadonlySet<string> = new Set(['description', 'summary', 'detail', 'message']);

/** A part of the document without its prose, as JSON. */
const withoutProse = (part: unknown) =>
  JSON.stringify(part, (key, value) => (PROSE.has(key) && typeof value === 'string' ? undefined : value));

// If the interface is meant to change: review the difference, then run `bun test --update-snapshots` with this file.
test('every operation, schema and header is as recorded, with its bounds and examples', async () => {
  const { paths, components, info, ...rest } = parseAs(DocumentSchema, await apiDocument(''));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
  const others = { headers: components.headers, document: { ...rest, info: { ...info, version: '' } } };
  const parts = [...operations, ...Object.entries(components.schemas), ...Object.entries(others)];
  const lines = parts.map(([name, part]) => {
    const hash = new Bun.CryptoHasher('sha256').update(withoutProse(part)).digest('hex').slice(0, 8);
    return `${hash} ${name}`;
  });
  expect(lines.join('\n')).toMatchSnapshot();
});
