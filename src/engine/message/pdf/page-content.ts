import {
  afterOperator,
  type GraphicsState,
  IDENTITY,
  type Matrix,
  type Point,
  product,
  START,
  transformed,
} from './graphics-state.ts';
import { type PageShapes, pagePath, pageShapes, strokesOf } from './page-shapes.ts';
import { inherited, type PdfDocument, type PdfObject } from './pdf-document.ts';
import { type PdfFont, pdfFont } from './pdf-font.ts';
import { inlinePicture } from './pdf-picture.ts';
import { asArray, asDictionary, asNumber, asText, type PdfDictionary, type PdfValue, pdfSyntax } from './pdf-syntax.ts';

/** Text that is shown at once: from where to where, and the size of its font on the page. */
interface TextRun {
  readonly text: string;
  readonly from: Point;
  readonly to: Point;
  readonly size: number;
}

/** A rectangle of a page: left, bottom, right, top. */
type Rectangle = readonly [number, number, number, number];

/** The text of a page, joined by the positions of its runs. */
export interface PageText {
  add(run: TextRun): void;
  text(): string;
  /** Returns the words within a rectangle; empty if there are none. */
  within(rectangle: Rectangle): string;
  readonly isWhole: boolean;
}

/** Maximum number of runs of a page, and of characters. */
const MAX_RUNS = 20_000;
const MAX_TEXT = 1_000_000;

/** Length from which on words are long enough. */
const MAX_WORDS = 500;

/** Distance from which on two runs of a line are two words, and two runs are two lines, in sizes of the font. */
const WORD_GAP = 0.18;
const LINE_GAP = 0.5;

/** Creates the text of a page, which is empty. */
function pageText(): PageText {
  const runs: TextRun[] = [];
  let length = 0;
  let isWhole = true;
  return {
    get isWhole() {
      return isWhole;
    },
    add(run) {
      if (run.text === '') return;
      if (runs.length >= MAX_RUNS || length >= MAX_TEXT) isWhole = false;
      else {
        runs.push(run);
        length += run.text.length;
      }
    },
    text: () => runs.map((run, at) => gapBefore(run, runs[at - 1]) + run.text).join(''),
    within(rectangle) {
      let words = '';
      let last: TextRun | undefined;
      for (const run of runs) {
        const part = partWithin(run, rectangle);
        if (part === '') continue;
        if (words.length > MAX_WORDS) break;
        words += gapBefore(run, last) + part;
        last = run;
      }
      return words;
    },
  };
}

function gapBefore({ from, size, text }: TextRun, last: TextRun | undefined): string {
  if (last === undefined) return '';
  const [x, y] = [last.to[0] - last.from[0], last.to[1] - last.from[1]];
  const length = Math.hypot(x, y) || 1;
  const [right, up] = length === 1 && x === 0 && y === 0 ? [1, 0] : [x / length, y / length];
  const [dx, dy] = [from[0] - last.to[0], from[1] - last.to[1]];
  const along = dx * right + dy * up;
  const across = Math.abs(dy * right - dx * up);
  const unit = Math.max(size, last.size, 0.01);
  if (across > LINE_GAP * unit || along < -2 * unit) return '\n';
  return along > WORD_GAP * unit && !/^\s/.test(text) && !/\s$/.test(last.text) ? ' ' : '';
}

/** Returns the words of a run that begin or end within a rectangle. */
function partWithin({ text, from, to }: TextRun, [left, bottom, right, top]: Rectangle): string {
  const middle = (from[1] + to[1]) / 2;
  if (middle < bottom - 1 || middle > top + 1 || Math.max(from[0], to[0]) < left || Math.min(from[0], to[0]) > right)
    return '';
  const width = to[0] - from[0];
  if (!(width > 0) || text.length > MAX_WORDS) return text.slice(0, MAX_WORDS);
  const place = (x: number) => Math.round(((x - from[0]) / width) * text.length);
  const [start, end] = [Math.max(0, place(left)), Math.min(text.length, place(right))];
  // Widths are not exact: whole words count whose larger part is within.
  let part = '';
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    const inside = Math.min(end, index + word.length) - Math.max(start, index);
    if (2 * inside > word.length) part += (part === '' ? '' : ' ') + word;
  }
  return part;
}

/** Content of a page, or of a form. */
export interface ShownContent {
  readonly text: PageText;
  readonly shapes: PageShapes;
  /** Pictures that are written within the content. */
  readonly pictures: readonly PdfObject[];
  /** False if a part was not read, or a glyph has no known character. */
  readonly isWhole: boolean;
}

/** Reader of the contents of a document, which reads each font and each content once. */
export interface ContentReader {
  /** Reads what contents show; `owner` has the resources. */
  read(contents: readonly PdfObject[], owner: PdfDictionary): Promise<ShownContent>;
}

/** Maximum number of operators of a document, nesting of forms and of states, and operands of an operator. */
const MAX_OPERATORS = 2_000_000;
const MAX_FORMS = 8;
const MAX_STATES = 100;
const MAX_OPERANDS = 100;

/** Number of operators after which the budget of time is polled. */
const OPERATORS_PER_POLL = 256;

/** Creates a reader. */
export function contentReader(document: PdfDocument, isSpent: () => boolean): ContentReader {
  const fonts = new Map<PdfDictionary, PdfFont>();
  const contents = new Map<PdfObject, Uint8Array<ArrayBuffer>>();
  let operators = MAX_OPERATORS;
  return {
    async read(parts, owner) {
      const page = openPage();
      // An operator and its operands may be in two parts.
      await run(page, joined(await Array.fromAsync(parts, (part) => bytesOf(page, part))), owner, 0);
      return page.content();
    },
  };

  async function bytesOf(page: OpenPage, object: PdfObject): Promise<Uint8Array<ArrayBuffer>> {
    const known = contents.get(object);
    if (known !== undefined) return known;
    const { bytes, left } = await document.decoded(object);
    if (left !== null) page.leaveOut();
    const content = left === null ? bytes : new Uint8Array();
    contents.set(object, content);
    return content;
  }

  async function run(page: OpenPage, bytes: Uint8Array, owner: PdfDictionary, depth: number): Promise<void> {
    const resources = asDictionary(inherited(owner, 'Resources', document));
    const named = (kind: string, name: PdfValue | undefined) =>
      asDictionary(document.resolve(resources.get(kind))).get(asText(name));
    const syntax = pdfSyntax(bytes, 0, bytes.length, document.budget);
    let operands: PdfValue[] = [];
    for (let one = syntax.next(); one !== undefined; one = syntax.next()) {
      if (typeof one !== 'object' || one === null || !('operator' in one)) {
        if (operands.length < MAX_OPERANDS) operands.push(one);
        continue;
      }
      if (operators-- <= 0 || (operators % OPERATORS_PER_POLL === 0 && isSpent())) return page.leaveOut();
      const { operator } = one;
      if (operator === 'Tf') page.setFont(await fontAt(named('Font', operands[0])), asNumber(operands[1], 1));
      else if (operator === 'Do') await runForm(page, document.objectAt(named('XObject', operands[0])), owner, depth);
      else if (operator === 'BI') page.addPicture(inlinePicture(syntax, bytes));
      else page.carryOut(operator, operands);
      operands = [];
    }
  }

  async function fontAt(value: PdfValue | undefined): Promise<PdfFont> {
    const dictionary = asDictionary(document.resolve(value));
    const font = fonts.get(dictionary) ?? (await pdfFont(dictionary, document));
    fonts.set(dictionary, font);
    return font;
  }

  async function runForm(page: OpenPage, form: PdfObject | null, owner: PdfDictionary, depth: number): Promise<void> {
    const dictionary = asDictionary(form?.value);
    if (form === null || asText(document.resolve(dictionary.get('Subtype'))) !== 'Form') return;
    if (depth >= MAX_FORMS) return page.leaveOut();
    page.carryOut('q', []);
    page.carryOut('cm', matrixOf(asArray(document.resolve(dictionary.get('Matrix')))));
    // Forms of old writers have the resources of their page.
    await run(page, await bytesOf(page, form), dictionary.has('Resources') ? dictionary : owner, depth + 1);
    page.carryOut('Q', []);
  }
}

/** A page whose content is being read. */
interface OpenPage {
  setFont(font: PdfFont, size: number): void;
  addPicture(picture: PdfObject): void;
  /** Carries out an operator that needs nothing of the document. */
  carryOut(operator: string, operands: readonly PdfValue[]): void;
  leaveOut(): void;
  content(): ShownContent;
}

function openPage(): OpenPage {
  const text = pageText();
  const shapes = pageShapes();
  const pictures: PdfObject[] = [];
  const path = pagePath();
  const states: GraphicsState[] = [];
  let isWhole = true;
  let state = START;
  let textMatrix: Matrix = IDENTITY;
  let lineMatrix: Matrix = IDENTITY;

  function setLine(matrix: Matrix): void {
    textMatrix = matrix;
    lineMatrix = matrix;
  }

  const nextLine = () => setLine(product([1, 0, 0, 1, 0, -state.leading], lineMatrix));

  function advance(width: number): void {
    textMatrix = product([1, 0, 0, 1, width, 0], textMatrix);
  }

  function show(string: string): void {
    const { font, size, stretch, characterSpace, wordSpace, rise } = state;
    if (font === null || string === '') return;
    const glyphs = font(string);
    if (glyphs.isUnknown) isWhole = false;
    const before = product(textMatrix, state.matrix);
    advance(((glyphs.width / 1000) * size + glyphs.count * characterSpace + glyphs.spaces * wordSpace) * stretch);
    const [from, to] = [before, product(textMatrix, state.matrix)].map((matrix) => transformed([0, rise], matrix)) as [
      Point,
      Point,
    ];
    text.add({ text: glyphs.text, from, to, size: Math.abs(size) * Math.hypot(before[2], before[3]) });
  }

  function showAll(parts: PdfValue | undefined): void {
    for (const one of asArray(parts)) {
      if (typeof one === 'number') advance((-one / 1000) * state.size * state.stretch);
      else show(asText(one));
    }
  }

  function paint(operator: string): void {
    const lines = path.take();
    if (/^[fFBb]/.test(operator)) addShape(lines, state.brightness, operator.endsWith('*'));
    if (/^[BbSs]/.test(operator)) addShape(strokesOf(lines, state.lineWidth), state.strokeBrightness, false);
  }

  function addShape(lines: readonly (readonly Point[])[], brightness: number, isEvenOdd: boolean): void {
    const placed = lines.map((line) => line.map((point) => transformed(point, state.matrix)));
    shapes.add({ lines: placed, brightness, isEvenOdd });
  }

  function carryOut(operator: string, operands: readonly PdfValue[]): void {
    const numbers = operands.filter((one) => typeof one === 'number');
    state = afterOperator(state, operator, numbers);
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers;
    if (operator === 'q' && states.length < MAX_STATES) states.push(state);
    else if (operator === 'Q') state = states.pop() ?? state;
    else if (operator === 'BT') setLine(IDENTITY);
    else if (operator === 'Td' || operator === 'TD') setLine(product([1, 0, 0, 1, a, b], lineMatrix));
    else if (operator === 'Tm') setLine([a, b, c, d, e, f]);
    else if (operator === 'T*' || operator === "'" || operator === '"') nextLine();
    else if (operator === 'TJ') showAll(operands[0]);
    else if (/^(?:[mlcvy]|re)$/.test(operator)) path.construct(operator, numbers);
    else if (/^(?:[fBb]\*?|[FSsn])$/.test(operator)) paint(operator);
    if (/^(?:Tj|['"])$/.test(operator)) show(asText(operands.at(-1)));
  }

  return {
    setFont(font, size) {
      state = { ...state, font, size };
    },
    addPicture: (picture) => void pictures.push(picture),
    carryOut,
    leaveOut() {
      isWhole = false;
    },
    content: () => ({ text, shapes, pictures, isWhole: isWhole && text.isWhole && shapes.isWhole }),
  };
}

function joined(parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length + 1, 0)).fill(0x20);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length + 1;
  }
  return bytes;
}

function matrixOf(values: readonly PdfValue[]): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = values.map((one) => asNumber(one));
  return [a, b, c, d, e, f];
}
