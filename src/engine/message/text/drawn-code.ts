import { bitmapPicture, type GrayPixels, type MessagePicture } from '../pictures.ts';
import { linesOf } from './lines.ts';

/** Name of the picture of a drawn code. */
export const DRAWN_CODE = 'QR code drawn with characters';

/** Smallest code and the largest (ISO/IEC 18004), with a margin of some modules on each side. */
const LEAST_MODULES = 21;
const MOST_MODULES = 200;

const MAX_CODES = 8;

/** Edge of a module in the picture, in pixels. */
const SCALE = 4;

/** Length of the shortest line of a code: half blocks show two modules in one character. */
const LEAST_LINE = 11;

/** A line of nothing but blocks, signs that stand for them, and white space. */
const DRAWN = /^[\s\u2580-\u259f\u25a0\u25a1\u2b1b\u2b1c#@*]{11,800}$/;

/** Finds QR codes that a text draws line by line with characters, and returns a picture of each. */
export function drawnCodes(text: string): MessagePicture[] {
  const pictures: MessagePicture[] = [];
  let block: string[] = [];
  const end = () => {
    if (block.length === 0) return;
    const modules = pictures.length < MAX_CODES ? modulesOf(block) : null;
    if (modules !== null) pictures.push(bitmapPicture(DRAWN_CODE, pixelsOf(modules)));
    block = [];
  };
  for (const written of linesOf(text)) {
    if (written.length < LEAST_LINE) {
      end();
      continue;
    }
    const line = withoutColours(written).replace(/^> ?/, '');
    if (block.length < MOST_MODULES && DRAWN.test(line)) block.push(line);
    else end();
  }
  end();
  return pictures;
}

/** Replaces spaces on a light ground of a terminal by blocks, so that the code is inverse. */
function withoutColours(line: string): string {
  const [first = '', ...stretches] = line.split('\u001b[');
  const shown = stretches.map((stretch) => {
    const [code = '', some = ''] = stretch.split('m', 2);
    return /\b(?:47|107|7)\b/.test(code) ? some.replaceAll(' ', '\u2588') : some;
  });
  return first + shown.join('');
}

/** Rows of a code, true for a drawn module; null for lines that are no code. */
function modulesOf(lines: readonly string[]): boolean[][] | null {
  const drawn = lines.filter((line) => line.trim() !== '').map((line) => line.trimEnd());
  const indent = Math.min(...drawn.map((line) => line.search(/\S/)));
  const width = Math.max(0, ...drawn.map((line) => line.length)) - indent;
  const rows = drawn.map((line) => [...line.slice(indent).padEnd(width)]);
  const isHalved = rows.some((row) => row.some((character) => /[\u2580\u2584]/.test(character)));
  const isDoubled = !isHalved && rows.every((row) => row.every((one, at) => at % 2 === 0 || one === row[at - 1]));
  const modules = isHalved
    ? rows.flatMap((row) => [
        row.map((one) => /[\u2580\u2588]/.test(one)),
        row.map((one) => /[\u2584\u2588]/.test(one)),
      ])
    : rows.map((row) => row.filter((_, at) => !isDoubled || at % 2 === 0).map((one) => !/[\s\u25a1\u2b1c]/.test(one)));
  const columns = modules[0]?.length ?? 0;
  const isSquare = Math.abs(columns - modules.length) <= 1 && columns >= LEAST_MODULES && columns <= MOST_MODULES;
  return isSquare ? modules : null;
}

/** Margin that readers need around a code, in modules (ISO/IEC 18004). */
const MARGIN = 4;

function pixelsOf(modules: readonly (readonly boolean[])[]): GrayPixels {
  const width = ((modules[0]?.length ?? 0) + 2 * MARGIN) * SCALE;
  const height = (modules.length + 2 * MARGIN) * SCALE;
  const pixels = new Uint8Array(width * height).fill(255);
  for (const [row, line] of modules.entries()) {
    for (const [column, isDark] of line.entries()) {
      if (!isDark) continue;
      for (let y = 0; y < SCALE; y++) {
        const start = ((row + MARGIN) * SCALE + y) * width + (column + MARGIN) * SCALE;
        pixels.fill(0, start, start + SCALE);
      }
    }
  }
  return { width, height, pixels };
}
