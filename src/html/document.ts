/** What a browser would show of a page, as data. A reader of bytes makes it; an analyzer judges it. */
export interface PageDocument {
  readonly title: string | null;
  readonly forms: readonly PageForm[];
}

/** A form, with its target resolved against the page's base URL. */
export interface PageForm {
  /** Absolute URL of where it is sent; null where only script could tell. */
  readonly action: string | null;
  readonly method: 'get' | 'post' | 'dialog';
  readonly fields: readonly PageField[];
}

export interface PageField {
  readonly name: string;
  /** The `type` attribute as a browser understands it. */
  readonly type: string;
}
