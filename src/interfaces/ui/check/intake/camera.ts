import { html } from '../../elements/dom.ts';
import type { Speaker } from '../../languages/speak.ts';
import { codeInFrame } from './picture-code.ts';

/** Milliseconds between two frames that are searched, so that the page stays responsive. */
const PAUSE_MS = 120;

/**
 * Shows the camera until it sees a QR code or the reader closes it. Returns the text of the code, or null. Frames are
 * searched on the device and never stored.
 *
 * @throws DOMException if there is no camera, or the reader does not allow it.
 */
export async function scanCode(say: Speaker): Promise<string | null> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  const video = html('video', { playsinline: true, 'aria-label': say('check.camera.view') });
  video.muted = true;
  video.srcObject = stream;
  const dialog = html(
    'dialog',
    { class: 'camera', 'aria-labelledby': 'camera-aim' },
    html('p', { id: 'camera-aim' }, say('check.camera.aim')),
    video,
    html('button', { type: 'button', click: () => dialog.close() }, say('check.stop')),
  );
  document.body.append(dialog);
  // Visiting another page, or leaving this one, closes the camera.
  const leaving = new AbortController();
  addEventListener('hashchange', () => dialog.close(), leaving);
  addEventListener('pagehide', () => dialog.close(), leaving);
  try {
    dialog.showModal();
    await video.play();
    return await firstCode(video, dialog);
  } finally {
    leaving.abort();
    for (const track of stream.getTracks()) track.stop();
    dialog.remove();
  }
}

async function firstCode(video: HTMLVideoElement, dialog: HTMLDialogElement): Promise<string | null> {
  while (dialog.open) {
    const text = codeInFrame(video);
    if (text !== null) return text;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return null;
}
