import { unreachablePage } from './unreachable-page.ts';

/** The part of a fetch event (Service Workers §4.6) that is used here; the library of types for pages does not have it. */
interface NavigationEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

// Nothing is cached: every page and every verdict comes from the service. If the service is unreachable, the installed
// page reports that instead of the browser's own error.
addEventListener('fetch', (event) => {
  const { request, respondWith } = event as NavigationEvent;
  if (request.mode !== 'navigate') return;
  respondWith.call(
    event,
    fetch(request).catch(() => unreachablePage(navigator.languages, new URL('./', location.href).pathname)),
  );
});
