/** A short text that depends on the request or the settings: browsers request it every time. */
export function textAnswer(contentType: string, text: string): Response {
  return new Response(text, { headers: { 'content-type': contentType, 'cache-control': 'no-cache' } });
}
