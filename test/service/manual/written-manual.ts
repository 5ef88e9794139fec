import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = 'src/service/manual';

/** A piece of code in a document, inline or as a block. */
export interface WrittenCode {
  readonly part: string;
  readonly text: string;
  /** Language of a block, empty if it has none; null for inline code. */
  readonly language: string | null;
}

/** Source of each part by its name. */
export const WRITTEN: ReadonlyMap<string, string> = new Map(
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.md'))
    .map((file) => [file.replace(/\.md$/, ''), readFileSync(`${FOLDER}/${file}`, 'utf8')]),
);

const BLOCK = /^```([a-z]*)\n([\s\S]*?)^```$/gm;

/** Returns a document without code blocks and comments. */
export const withoutBlocks = (text: string): string => text.replace(BLOCK, '').replace(/^<!--.*-->$/gm, '');

/** Returns all code of a document. */
export function codeIn(part: string, text: string): WrittenCode[] {
  const blocks = [...text.matchAll(BLOCK)].map(([, language = '', code = '']) => ({ part, text: code, language }));
  const spans = [...withoutBlocks(text).matchAll(/`([^`]+)`/g)].map(([, code = '']) => ({
    part,
    text: code.replaceAll(/\s+/g, ' '),
    language: null,
  }));
  return [...blocks, ...spans];
}

/** Returns the anchors of the headings, as forges and the page generate them. */
export const headingIds = (text: string): string[] =>
  [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, words = '']) =>
    words
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
