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
import { type PageText, pageText } from './page-text.ts';
import { inherited, type PdfDocument, type PdfObject } from './pdf-document.ts';
import { type PdfFont, pdfFont } from './pdf-font.ts';
import { inlinePicture } from './pdf-picture.ts';
import { asArray, asDictionary, asNumber, asText, type PdfDictionary, type PdfValue, pdfSyntax } from './pdf-syntax.ts';

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
