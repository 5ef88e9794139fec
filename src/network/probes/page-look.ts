/** A rectangle of a window, in CSS pixels. */
export type Box = readonly [left: number, top: number, width: number, height: number];

/** Description of how a page looks in a window: numbers from which it cannot be restored. */
export interface PageLook {
  /** Size of the window, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Fields into which one types, from the top. */
  readonly fields: readonly Box[];
  readonly buttons: readonly Box[];
  /** Share of each of 64 colours in 255ths, in hexadecimal: two bits each of red, green and blue. */
  readonly colours: string;
  /** Cells of the picture with an edge, a bit each in rows, in hexadecimal. */
  readonly edges: string;
}

/** Description of the icon of a page. */
export interface IconPrint {
  /** Beginning of the SHA-256 of the file, in hexadecimal. */
  readonly sha256: string;
  /** Difference hash and colours, in hexadecimal. Null if it cannot be decoded, or shows nothing. */
  readonly shape: string | null;
}
