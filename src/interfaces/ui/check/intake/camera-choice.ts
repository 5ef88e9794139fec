import { type Child, html } from '../../elements/dom.ts';
import type { Speaker } from '../../languages/speak.ts';

/** Callbacks of the camera. */
export interface CameraWatcher {
  /** It saw a code that says this. */
  seen(text: string): void;
  /** It cannot be used. */
  failed(): void;
}

/** A button that opens the camera to scan a QR code; nothing where the browser has no camera for this page. */
export function cameraChoice(say: Speaker, { seen, failed }: CameraWatcher): Child {
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
