import type { ListFormat } from './list-format.ts';

/** One entry a line; `#` and what follows it is a comment where it begins a line or stands behind white space. */
export const plainFormat: ListFormat = {
  name: 'plain',
  recognises: () => true,
  read: { byLine: () => readPlainLine },
};

const COMMENT = /(?:^|\s)#\s*([\s\S]*)/;

const readPlainLine = (line: string, number: number) => {
  const comment = COMMENT.exec(line);
  const value = (comment ? line.slice(0, comment.index) : line).trim();
  if (value === '') return [];
  const said = comment?.[1]?.trim() ?? '';
  return [
    {
      ...{ value, line: number, expiresAtMs: null, source: null, isException: false },
      comment: said === '' ? null : said,
    },
  ];
};
