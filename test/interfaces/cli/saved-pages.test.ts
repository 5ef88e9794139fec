import { expect, test } from 'bun:test';
import { inputOfLine } from '#src/interfaces/cli/check/check-input.ts';

const read = (html: string) =>
  inputOfLine(
    { text: JSON.stringify({ url: 'http://a.example/', html }), number: 3 },
    {
      ...{ format: 'ndjson', isForPeople: false },
    },
  )[0];

test('a page in an object is taken as HTML', () => {
  expect(read('<p>Hello')?.page).toMatchObject({ contentType: 'text/html; charset=utf-8', statusCode: 200 });
});

test('an archive in an object is opened', () => {
  const archive =
    'MIME-Version: 1.0\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3D"/b">';
  const page = read(archive)?.page;
  expect(page?.contentType).toBe('text/html');
  expect(new TextDecoder().decode(page?.bytes)).toBe('<a href="/b">');
});

test('what is no page is an error in its place', () => {
  const refused = read('{"a": 1}');
  expect(refused).toMatchObject({ text: 'http://a.example/', line: 3, page: null });
  expect(refused?.target).toMatchObject({
    code: 'invalid_body',
    problem: expect.stringContaining('html is JSON; expected'),
  });
});
