/** FilledShape of predicted rows: pixels per row, values per pixel, and bits per value. */
export interface RowShape {
  readonly columns: number;
  readonly colours: number;
  readonly bits: number;
}

/**
 * Returns rows without their prediction: that of TIFF (predictor 2), or that of PNG, in which the first byte of each row names it
 * (ISO 32000-1 §7.4.4.4, PNG §9).
 */
export function undoPrediction(
  bytes: Uint8Array<ArrayBuffer>,
  predictor: number,
  { columns, colours, bits }: RowShape,
): Uint8Array<ArrayBuffer> {
  const width = Math.ceil((columns * colours * bits) / 8);
  const step = Math.max(1, Math.floor((colours * bits) / 8));
  if (!(width >= 1) || width > bytes.length) return bytes;
  if (predictor === 2) return bits === 8 ? sums(bytes, width, step) : bytes;
  const count = Math.ceil(bytes.length / (width + 1));
  const rows = new Uint8Array(count * width);
  for (let row = 0; row < count; row++) {
    const kind = bytes[row * (width + 1)] ?? 0;
    for (let at = 0; at < width; at++) {
      const to = row * width + at;
      const left = at < step ? 0 : (rows[to - step] ?? 0);
      const up = rows[to - width] ?? 0;
      const corner = at < step ? 0 : (rows[to - width - step] ?? 0);
      rows[to] = (bytes[row * (width + 1) + 1 + at] ?? 0) + predicted(kind, left, up, corner);
    }
  }
  return rows;
}

function predicted(kind: number, left: number, up: number, corner: number): number {
  if (kind === 1) return left;
  if (kind === 2) return up;
  if (kind === 3) return (left + up) >> 1;
  if (kind !== 4) return 0;
  const near = left + up - corner;
  const [byLeft, byUp, byCorner] = [Math.abs(near - left), Math.abs(near - up), Math.abs(near - corner)];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

function sums(bytes: Uint8Array<ArrayBuffer>, width: number, step: number): Uint8Array<ArrayBuffer> {
  const rows = bytes.slice();
  for (let at = 0; at < rows.length; at++) if (at % width >= step) rows[at] = (rows[at] ?? 0) + (rows[at - step] ?? 0);
  return rows;
}
