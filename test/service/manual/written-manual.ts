import { readdirSync, readFileSync } from 'node:fs';

/** Where the manual is written. */
const FOLDER = 'src/manual';

/** One piece of code in a document, and whether it stands in a sentence or in lines of its own. */
export interface WrittenCode {
  readonly part: string;
  readonly text: string;
  /** Of a block, its language, empty where it names none; null in a sentence. */
  readonly language: string | null;
}

/** Each part by its name, as it is written. */
export const WRITTEN: ReadonlyMap<string, string> = new Map(
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.md'))
    .map((file) => [file.replace(/\.md$/, ''), readFileSync(`${FOLDER}/${file}`, 'utf8')]),
);

const BLOCK = /^```([a-z]*)\n([\s\S]*?)^```$/gm;

/** A document without its blocks of code, and what is said to those who write it. */
export const withoutBlocks = (text: string): string => text.replace(BLOCK, '').replace(/^<!--.*-->$/gm, '');

/** All code of a document. */
export function codeIn(part: string, text: string): WrittenCode[] {
  const blocks = [...text.matchAll(BLOCK)].map(([, language = '', code = '']) => ({ part, text: code, language }));
  const spans = [...withoutBlocks(text).matchAll(/`([^`]+)`/g)].map(([, code = '']) => ({
    part,
    text: code.replaceAll(/\s+/g, ' '),
    language: null,
  }));
  return [...blocks, ...spans];
}

/** What a forge, and the page, call the place of a heading. */
export const headingIds = (text: string): string[] =>
  [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, words = '']) =>
    words
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
