import type { Mountain } from './climb.ts';

/** What is posted in place of a check: JSON that is deep, wide, escaped, said twice, or none. */
export const BODIES: Mountain = {
  starts: [
    '{"url":"http://a.example/',
    '{"url":"',
    '{',
    '[',
    '{"a":',
    '{"url":"http://a.example/","private_mode":true,',
    '"',
    '',
    ' ',
  ],
  pieces: [
    ...'"a№":1, "№":"", "a№":{ "url":"http://a.example/", [ ] { } , : [[ {}, [], 1, 1e999, -0 null, true "'.split(' '),
    ...'\\" \\\\ \\u0000 \\ud800 \\u0061№ \\n \\/ é 中 \u0300\u0323 \ufeff \ud800 // /*'.split(' '),
    ' ',
    '\n',
    'a',
    '"\\u0061№":1,',
    '"__proto__№":{},',
  ],
  ends: ['', '"}', '}', ']', '"url":"http://a.example/"}', '"":0}', ']]}}'],
  // As many bytes as a body may have, where a character takes two.
  length: 16 * 1024,
};
