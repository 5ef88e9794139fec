import { collectBoxes } from '#src/engine/looks/window-boxes.ts';
import type { PageLook } from '#src/network/probes/page-visit.ts';
import type { DomSnapshot } from '../cdp/protocol.ts';
import type { RenderedDocument } from '../visit/rendered-page.ts';
import { createMarkupWriter, type MarkupWriter } from './markup-writer.ts';
import { type SnapshotFrame, writeDocument } from './write-document.ts';

/** The documents of a page. */
export interface ReadSnapshot {
  /** The page with the content of its frames; null if there is none. */
  readonly document: RenderedDocument | null;
  /** Documents of other hosts in frames that a person sees, the largest first. */
  readonly frames: readonly RenderedDocument[];
  /** Fields and buttons in the window. */
  readonly boxes: Pick<PageLook, 'fields' | 'buttons'>;
  /** True if a part did not fit. */
  readonly isCut: boolean;
}

/** Maximum size of a page, in characters; what the parser reads of one. */
const MAX_CHARACTERS = 2 * 1024 * 1024;
/** Maximum number of documents in one page, and of frames that are pages of their own. */
const MAX_DOCUMENTS = 64;
const MAX_FRAMES = 3;
/** Minimum size of a frame with a form, in CSS pixels. */
const LEAST_WIDTH = 150;
const LEAST_HEIGHT = 80;

/**
 * Returns a snapshot as HTML: the same snapshot, the same bytes.
 *
 * @param hasScripts true if scripts may show more, or something else, after a click; the markup then has one without effect
 */
export function readSnapshot(
  { documents, strings }: DomSnapshot,
  { width, height }: { readonly width: number; readonly height: number },
  hasScripts: boolean,
): ReadSnapshot {
  const windowArea = width * height;
  const written = new Set<number>();
  const boxes = collectBoxes({ width, height });
  const large: SnapshotFrame[] = [];
  let isCut = false;

  const writeFrames = (frames: readonly SnapshotFrame[], writer: MarkupWriter, outer = ORIGIN) => {
    for (const frame of frames) {
      const inner = documents[frame.document];
      if (inner === undefined || written.has(frame.document)) continue;
      if (written.size >= MAX_DOCUMENTS) {
        isCut = true;
        return;
      }
      written.add(frame.document);
      const [left, top, innerWidth, innerHeight] = frame.box;
      if (frame.isShown && innerWidth >= LEAST_WIDTH && innerHeight >= LEAST_HEIGHT) large.push(frame);
      writer.open('div', frame.isShown ? [] : [['hidden', '']]);
      const origin = { left: outer.left + left, top: outer.top + top };
      const onShown = frame.isShown ? boxes.takeFrom(origin) : undefined;
      const as = { strings, isInner: true, windowArea, ...(onShown && { onShown }) };
      writeFrames(writeDocument(inner, writer, as), writer, origin);
      writer.close('div');
    }
  };

  const write = (at: number, isWhole: boolean): RenderedDocument | null => {
    const document = documents[at];
    if (document === undefined) return null;
    const writer = createMarkupWriter(MAX_CHARACTERS);
    written.add(at);
    const beforeEnd = (frames: readonly SnapshotFrame[]) => {
      if (!isWhole) return;
      writeFrames(frames, writer);
      if (!hasScripts) return;
      writer.open('script', []);
      // An empty one is no script.
      writer.text(';');
      writer.close('script');
    };
    const onShown = isWhole ? boxes.takeFrom(ORIGIN) : () => {};
    writeDocument(document, writer, { strings, isInner: false, windowArea, beforeEnd, onShown });
    isCut ||= writer.isCut;
    return { url: strings[document.documentURL] ?? '', markup: writer.bytes() };
  };

  const document = write(0, true);
  const host = URL.parse(document?.url ?? '')?.host;
  const frames = large
    .toSorted((a, b) => areaOf(b) - areaOf(a))
    .filter(({ document: at }) => {
      const url = URL.parse(strings[documents[at]?.documentURL ?? -1] ?? '');
      return url !== null && /^https?:$/.test(url.protocol) && url.host !== host;
    })
    .slice(0, MAX_FRAMES)
    .flatMap(({ document: at }) => write(at, false) ?? []);
  return { document, frames, boxes: boxes.inOrder(), isCut };
}

const ORIGIN = { left: 0, top: 0 };

function areaOf({ box: [, , width, height] }: SnapshotFrame): number {
  return width * height;
}
