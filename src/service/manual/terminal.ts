import { withLinks } from './links.ts';

/** Lines that are longer are hard to read, however wide the window. */
const WIDEST = 100;

/** Fences stand at the beginning of a line; between them is what somebody copies. */
const FENCED = /^```[a-z]*\n([\s\S]*?)^```\n/gm;

/** How a terminal shows. */
export interface TerminalLook {
  /** Characters in a line. */
  readonly columns: number;
  readonly isColoured: boolean;
}

/** A part of the manual for a terminal. Code keeps its lines, for whoever copies them. */
export function partForTerminal(markdown: string, { columns, isColoured }: TerminalLook): string {
  const look = { columns: Math.min(columns, WIDEST), colors: isColoured };
  return withLinks(markdown, (part) => part && `lurecheck help ${part}`)
    .split(FENCED)
    .map((piece, index) => {
      if (index % 2 === 1) return indented(piece);
      return Bun.markdown.ansi(isColoured ? piece : withMarkedCode(piece), look);
    })
    .join('\n');
}

const indented = (code: string): string => code.replace(/^(?=.)/gm, '    ');

/** Where no colour tells code from words, its marks stay. */
const withMarkedCode = (text: string): string => text.replace(/`([^`]+)`/g, '`` `$1` ``');
