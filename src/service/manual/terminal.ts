import { withLinks } from './links.ts';

/** Maximum width of a line: longer ones are hard to read. */
const WIDEST = 100;

/** A code block. */
const FENCED = /^```[a-z]*\n([\s\S]*?)^```\n/gm;

/** Width and colours of a terminal. */
export interface TerminalLook {
  /** Characters in a line. */
  readonly columns: number;
  readonly isColoured: boolean;
}

/** Returns a part of the manual for a terminal. Code keeps its lines, so that it can be copied. */
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

/** Keeps the backticks of inline code if there are no colours. */
const withMarkedCode = (text: string): string => text.replace(/`([^`]+)`/g, '`` `$1` ``');
