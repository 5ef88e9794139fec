/**
 * An answer that is sent piece by piece, as `write` has them. A client that goes away does not stop what brings them; what
 * is sent to it then is dropped.
 */
export function streamed(contentType: string, write: (send: (text: string) => void) => Promise<void>): Response {
  const encoder = new TextEncoder();
  let isOpen = true;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      await write((text) => {
        if (isOpen) controller.enqueue(encoder.encode(text));
      });
      if (isOpen) controller.close();
    },
    cancel() {
      isOpen = false;
    },
  });
  // The second keeps nginx from holding the pieces back.
  return new Response(body, { headers: { 'content-type': contentType, 'x-accel-buffering': 'no' } });
}
