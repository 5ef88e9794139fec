import type { Box, PageLook } from '#src/network/probes/page-visit.ts';

/** Types of `input` elements that are pressed, and those into which nobody types. */
const PRESSED = new Set(['submit', 'button', 'image', 'reset']);
const NOT_TYPED = new Set([...PRESSED, 'hidden', 'checkbox', 'radio', 'file', 'range', 'color']);

/** Maximum number of areas of each kind, the uppermost. */
const MAX_BOXES = 24;
const MAX_SEEN = 2000;

/** Gathers the fields and buttons that are seen in a window. */
interface BoxCollector {
  /** Returns the function that takes elements of a document whose corner is at `origin`. */
  takeFrom(origin: {
    readonly left: number;
    readonly top: number;
  }): (name: string, attributes: ReadonlyMap<string, string>, box: Box) => void;
  inOrder(): Pick<PageLook, 'fields' | 'buttons'>;
}

/** Creates an empty collector for a window of this size. */
export function collectBoxes(window: Pick<PageLook, 'width' | 'height'>): BoxCollector {
  const fields: Box[] = [];
  const buttons: Box[] = [];
  return {
    takeFrom: (origin) => (name, attributes, box) => {
      const kind = kindOf(name, attributes);
      const into = kind === 'field' ? fields : kind === 'button' ? buttons : null;
      const [left, top, width, height] = box.map(Math.round) as [number, number, number, number];
      const placed = [left + origin.left, top + origin.top, width, height] as const;
      const isInside = placed[0] < window.width && placed[1] < window.height && placed[1] + height > 0;
      if (into !== null && isInside && into.length < MAX_SEEN) into.push(placed);
    },
    inOrder: () => ({ fields: uppermost(fields), buttons: uppermost(buttons) }),
  };
}

function kindOf(name: string, attributes: ReadonlyMap<string, string>): 'field' | 'button' | null {
  const type = (attributes.get('type') ?? '').toLowerCase();
  if (name === 'textarea' || (name === 'input' && !NOT_TYPED.has(type))) return 'field';
  const isPressed = name === 'button' || attributes.get('role') === 'button' || (name === 'input' && PRESSED.has(type));
  return isPressed ? 'button' : null;
}

function uppermost(boxes: readonly Box[]): Box[] {
  return boxes.toSorted((a, b) => a[1] - b[1] || a[0] - b[0]).slice(0, MAX_BOXES);
}
