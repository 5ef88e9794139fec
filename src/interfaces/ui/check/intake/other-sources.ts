import { type Child, html } from '../../elements/dom.ts';
import type { Speaker } from '../../languages/speak.ts';
import type { Given } from './given.ts';

/** The ways to give a link without the keyboard: a file or picture of the device, and its camera. */
export function otherSources(
  say: Speaker,
  take: (given: Given) => void,
  complain: (said: string) => void,
): HTMLElement {
  return html(
    'div',
    { class: 'sources' },
    fileChoice(say, (files) => take({ html: '', text: '', files })),
    cameraChoice(say, {
      seen: (text) => take({ html: '', text, files: [] }),
      failed: () => complain(say('check.camera.failed')),
    }),
  );
}

/** Callbacks of the camera. */
interface CameraWatcher {
  /** Called with the text of a code. */
  seen(text: string): void;
  /** Called if the camera cannot be used. */
  failed(): void;
}

/** Builds a button that scans a QR code with the camera; returns nothing if the page has no camera. */
function cameraChoice(say: Speaker, { seen, failed }: CameraWatcher): Child {
  // Browsers offer the camera to pages alone that came with TLS, or from this very device.
  if (!('mediaDevices' in navigator)) return null;
  let isOpen = false;

  async function scan(): Promise<void> {
    if (isOpen) return;
    isOpen = true;
    try {
      const { scanCode } = await import('./camera.ts');
      const text = await scanCode(say);
      if (text !== null) seen(text);
    } catch {
      failed();
    } finally {
      isOpen = false;
    }
  }

  return html('button', { type: 'button', class: 'as-link', click: () => void scan() }, say('check.camera'));
}

/** Readable files: mails, pages, tables, texts, and pictures of a code. */
const READABLE = '.eml,.msg,.mht,.mhtml,.html,.htm,.txt,.csv,.tsv,.pdf,message/rfc822,text/*,image/*';

/** A button that opens the file chooser of the device, which on a phone is the camera as well. */
function fileChoice(say: Speaker, choose: (files: readonly File[]) => void): HTMLElement {
  const input = html('input', {
    type: 'file',
    multiple: true,
    accept: READABLE,
    class: 'visually-hidden',
    change: () => {
      choose([...(input.files ?? [])]);
      // The same file can be chosen again.
      input.value = '';
    },
  });
  return html('label', { class: 'file-choice' }, input, html('span', {}, say('check.file')));
}
