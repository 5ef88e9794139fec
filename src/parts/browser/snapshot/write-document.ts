import type { Box } from '#src/network/probes/page-visit.ts';
import type { DocumentSnapshot } from '../cdp/protocol.ts';
import { type MarkupWriter, shownAttributes } from './markup-writer.ts';

/** Computed styles that a snapshot has of each node, in this order. */
export const SNAPSHOT_STYLES = [
  'visibility',
  'opacity',
  'overflow-y',
  'font-size',
  'color',
  'background-image',
] as const;

/** A node as it was laid out. */
interface NodeLayout {
  /** Left, top, width and height, in CSS pixels of its document. */
  readonly box: readonly [number, number, number, number];
  /** Text as shown, after `text-transform`; null for elements. */
  readonly text: string | null;
  readonly isVisible: boolean;
  /** Opacity of the element itself. */
  readonly opacity: number;
  /** True if hardly anything of its content fits into it. */
  readonly isClipped: boolean;
  /** Address of its background picture; null if it has none. */
  readonly background: string | null;
}

/** Minimum opacity of visible text, from 0 to 1. */
const LEAST_OPACITY = 0.05;
/** Minimum font size of visible text, in CSS pixels. */
const LEAST_FONT = 3;

const TRANSPARENT = /^(?:transparent|rgba\([^)]*, 0(?:\.0\d*)?\))$/;

/** Returns the layout of the nodes that have one, by the number of the node. */
function nodeLayouts({ layout }: DocumentSnapshot, strings: readonly string[]): Map<number, NodeLayout> {
  const laidOut = new Map<number, NodeLayout>();
  layout.nodeIndex.forEach((node, at) => {
    // Pseudo-elements follow their element under a number of their own; the first part of a node stands for all.
    if (laidOut.has(node)) return;
    const [visibility = '', opacity = '1', overflow = '', font = '', color = '', background = ''] = (
      layout.styles[at] ?? []
    ).map((index) => strings[index]);
    const [left = 0, top = 0, width = 0, height = 0] = layout.bounds[at] ?? [];
    const [, picture = null] = /^url\("(https?:[^"]{1,2000})"\)/.exec(background) ?? [];
    laidOut.set(node, {
      box: [left, top, width, height],
      text: strings[layout.text[at] ?? -1] ?? null,
      isVisible: visibility !== 'hidden' && visibility !== 'collapse' && !isUnreadable(font, color),
      opacity: Number(opacity),
      isClipped: (overflow === 'hidden' || overflow === 'clip') && (width <= 1 || height <= 1),
      background: picture,
    });
  });
  return laidOut;
}

function isUnreadable(font: string, color: string): boolean {
  return Number.parseFloat(font) < LEAST_FONT || TRANSPARENT.test(color);
}

/** Returns true if something with this much opacity is seen. */
function isOpaque(opacity: number): boolean {
  return opacity >= LEAST_OPACITY;
}

/** Returns true if an area has a size and is not left of or above its document. */
function isInView([left, top, width, height]: NodeLayout['box']): boolean {
  return width > 0 && height > 0 && left + width > 0 && top + height > 0;
}

/** A frame in a document, with the document that is in it. */
export interface SnapshotFrame {
  /** Number of its document in the snapshot. */
  readonly document: number;
  readonly isShown: boolean;
  /** Place and size in the document. */
  readonly box: Box;
}

/** Numbers of node types (DOM Standard). */
const ELEMENT = 1;
const TEXT = 3;

/** Elements without anything for a person: their effect is in the layout. */
const LEFT_OUT = new Set(['script', 'style', 'noscript', 'template', 'param', 'track']);
/** Elements that are never laid out, and whose text is content. */
const WITH_OWN_TEXT = new Set(['title', 'textarea', 'option', 'optgroup', 'button', 'select']);
const OF_HEAD = new Set(['html', 'head', 'body', 'title', 'meta', 'link', 'base']);
const FIELDS = new Set(['input', 'textarea', 'select', 'button']);
const DRAWN = new Set(['canvas', 'video']);
/** Share of the window from which a background picture may be what a person reads. */
const LARGE_SHARE = 0.1;

const NOWHERE = [0, 0, 0, 0] as const;

interface OpenNode {
  readonly at: number;
  /** Name of its tag; null if none was written. */
  readonly tag: string | null;
  readonly isLeftOut: boolean;
  readonly isHidden: boolean;
  readonly opacity: number;
  readonly ownText: boolean;
  /** True within a drawing, whose elements are not written. */
  readonly isForeign: boolean;
  readonly isInBody: boolean;
}

const ROOT: OpenNode = {
  ...{
    at: -1,
    tag: null,
    isLeftOut: false,
    isHidden: false,
    opacity: 1,
    ownText: false,
    isForeign: false,
    isInBody: false,
  },
};

/** Options of {@link writeDocument}. */
export interface WrittenAs {
  readonly strings: readonly string[];
  /** True for the body alone, with absolute addresses: the document is in a frame of another. */
  readonly isInner: boolean;
  /** Size of the window, in square pixels. */
  readonly windowArea: number;
  /** Called with each element that is seen. */
  readonly onShown?: (name: string, attributes: ReadonlyMap<string, string>, box: Box) => void;
  /** Called before the end of the body. */
  readonly beforeEnd?: (frames: readonly SnapshotFrame[]) => void;
}

/** Writes a document of a snapshot as HTML without scripts: what is not seen has `hidden`. Linear in its nodes. */
export function writeDocument(snapshot: DocumentSnapshot, writer: MarkupWriter, as: WrittenAs): SnapshotFrame[] {
  const { nodes } = snapshot;
  const { strings, isInner } = as;
  const layout = nodeLayouts(snapshot, strings);
  const isLaidOut = laidOutSubtrees(nodes.parentIndex, layout);
  const documents = new Map(
    nodes.contentDocumentIndex.index.map((at, i) => [at, nodes.contentDocumentIndex.value?.[i]]),
  );
  const values = new Map([nodes.inputValue, nodes.textValue].flatMap(({ index, value }) => pairs(index, value)));
  const base = isInner ? (strings[snapshot.baseURL] ?? null) : null;
  const frames: SnapshotFrame[] = [];
  const open: OpenNode[] = [ROOT];

  const closeTo = (parent: number) => {
    for (let top = open.at(-1); top && top.at !== parent && top !== ROOT; top = open.at(-1)) {
      open.pop();
      if (top.tag === 'body') as.beforeEnd?.(frames);
      if (top.tag !== null) writer.close(top.tag);
    }
  };

  const element = (at: number, parent: OpenNode): OpenNode => {
    const name = (strings[nodes.nodeName[at] ?? -1] ?? '').toLowerCase();
    const placed = layout.get(at);
    const node = unwritten(at, name, parent, placed, isInner);
    if (!isWritten(name, node, isInner)) return node;
    const isHidden = !OF_HEAD.has(name) && !parent.ownText && isUnseen(name, placed, isLaidOut[at] === 1, node.opacity);
    const content = /^i?frame$/.test(name) ? documents.get(at) : undefined;
    if (content !== undefined) {
      const isShown = !(parent.isHidden || isHidden) && isSeen(placed, node.opacity);
      frames.push({ document: content, isShown, box: placed?.box ?? NOWHERE });
      return { ...node, isLeftOut: true };
    }
    const attributes = attributesOf(at, name);
    if (attributes === null) return node;
    if (isHidden) attributes.push(['hidden', '']);
    else if (placed && !parent.isHidden && isSeen(placed, node.opacity)) {
      as.onShown?.(name, new Map(attributes), placed.box);
    }
    const tag = DRAWN.has(name) ? 'img' : name;
    writer.open(tag, attributes);
    if (!isHidden) writeBackground(placed);
    return { ...node, tag, isHidden: parent.isHidden || isHidden, ownText: WITH_OWN_TEXT.has(name) };
  };

  const writeBackground = (placed: NodeLayout | undefined) => {
    const picture = placed?.background ?? null;
    if (picture !== null && isLarge(placed, as.windowArea)) writer.open('img', [['src', picture]]);
  };

  /** Returns null for an element that acts on the document that was, not on this one. */
  const attributesOf = (at: number, name: string): [string, string][] | null => {
    const attributes = shownAttributes(
      (nodes.attributes[at] ?? []).map((index) => strings[index] ?? ''),
      base,
    );
    const own = new Map(attributes);
    if (name === 'meta' && own.has('http-equiv') && !/^refresh$/i.test(own.get('http-equiv') ?? '')) return null;
    const value = strings[values.get(at) ?? -1];
    if (name === 'input' && value !== undefined && value !== '') own.set('value', value);
    return [...own];
  };

  const text = (at: number, parent: OpenNode) => {
    const raw = strings[nodes.nodeValue[at] ?? -1] ?? '';
    if (parent.isLeftOut || raw === '') return;
    const placed = layout.get(at);
    if (parent.isHidden || parent.ownText) writer.text(placed?.text ?? raw);
    else if (isSeen(placed, parent.opacity)) writer.text(placed?.text ?? raw);
    else if (raw.trim() === '') writer.text(' ');
    else if (parent.isInBody || isInner) {
      writer.open('span', [['hidden', '']]);
      writer.text(raw);
      writer.close('span');
    }
  };

  for (const [at, parentAt] of nodes.parentIndex.entries()) {
    if (writer.isCut) break;
    closeTo(parentAt);
    const parent = open.at(-1) ?? ROOT;
    const type = nodes.nodeType[at];
    if (type === TEXT) text(at, parent);
    else if (type === ELEMENT) open.push(element(at, parent));
    else open.push({ ...parent, at, tag: null });
  }
  closeTo(-1);
  return frames;
}

/** Returns a node of which no tag is written. */
function unwritten(
  at: number,
  name: string,
  parent: OpenNode,
  placed: NodeLayout | undefined,
  isInner: boolean,
): OpenNode {
  const isForeign = (parent.isForeign && name !== 'foreignobject') || name === 'svg' || name === 'math';
  const isLeftOut = parent.isLeftOut || LEFT_OUT.has(name) || (isInner && name === 'head');
  const opacity = parent.opacity * (placed?.opacity ?? 1);
  const isInBody = parent.isInBody || name === 'body';
  return { at, tag: null, isLeftOut, isHidden: parent.isHidden, opacity, ownText: false, isForeign, isInBody };
}

function isWritten(name: string, { isLeftOut, isForeign }: OpenNode, isInner: boolean): boolean {
  return !(isLeftOut || isForeign || (isInner && OF_HEAD.has(name))) && /^[a-z][a-z\d-]*$/.test(name);
}

/** Returns for each node whether it or something in it was laid out: 1 if so. */
function laidOutSubtrees(parents: readonly number[], layout: ReadonlyMap<number, NodeLayout>): Uint8Array {
  const has = new Uint8Array(parents.length);
  for (let at = parents.length - 1; at >= 0; at--) {
    if (layout.has(at)) has[at] = 1;
    const parent = parents[at] ?? -1;
    if (has[at] === 1 && parent >= 0) has[parent] = 1;
  }
  return has;
}

function isUnseen(name: string, placed: NodeLayout | undefined, isLaidOut: boolean, opacity: number): boolean {
  if (!isLaidOut || !isOpaque(opacity)) return true;
  if (placed === undefined) return false;
  return placed.isClipped || (FIELDS.has(name) && !(placed.isVisible && isInView(placed.box)));
}

function isSeen(placed: NodeLayout | undefined, opacity: number): boolean {
  return placed?.isVisible === true && isOpaque(opacity) && isInView(placed.box);
}

function isLarge(placed: NodeLayout | undefined, windowArea: number): boolean {
  const [, , width, height] = placed?.box ?? NOWHERE;
  return width * height > windowArea * LARGE_SHARE;
}

function pairs(index: readonly number[], value: readonly number[] = []): [number, number][] {
  return index.map((at, i) => [at, value[i] ?? -1]);
}
