import { writeFile } from 'node:fs/promises';
import type { PictureStore } from '#src/checks/store/pictures/picture-store.ts';
import type { Io } from '#src/core/base/io.ts';

/** Windows of a picture: 1280 by 800 pixels, or 390 by 844. */
export const PICTURE_WINDOWS = ['desktop', 'phone'] as const;

/** The picture of the one page that a command checks. */
export interface OnePicture extends Pick<PictureStore, 'isOn' | 'hold'> {
  readonly window: (typeof PICTURE_WINDOWS)[number];
  /** Writes it to a file; returns false, with a message, if there is none or the file cannot be written. */
  write(path: string, io: Pick<Io, 'stderr'>): Promise<boolean>;
}

/** Holds the last picture that the browser takes. */
export function takeOnePicture(window: OnePicture['window']): OnePicture {
  let webp: Uint8Array | null = null;
  return {
    isOn: true,
    window,
    hold(_visibility, _sha256, bytes) {
      webp = bytes;
    },
    async write(path, { stderr }) {
      if (webp === null) {
        await stderr.write('no picture was taken: render in the JSON answer says why\n');
        return false;
      }
      try {
        await writeFile(path, webp);
        return true;
      } catch (error) {
        await stderr.write(`cannot write the picture: ${error instanceof Error ? error.message : String(error)}\n`);
        return false;
      }
    },
  };
}
