/** A file as it is served: the same bytes for everybody. */
export interface Asset {
  readonly contentType: string;
  /** Compressed with gzip, as the executable carries it. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Whether its name changes with its content, so that a browser may keep it for good. */
  readonly isImmutable: boolean;
}
