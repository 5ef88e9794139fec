/**
 * The host of a URL in canonical form, as `Host.text` has it, cut out of it without parsing. A form that was cut short
 * within its host has another one.
 */
export function cutHost(url: string): string {
  let start = url.indexOf('://') + 3;
  let end = url.indexOf('/', start);
  if (end === -1) end = url.length;
  const at = url.lastIndexOf('@', end);
  if (at >= start) start = at + 1;
  if (url[start] === '[') return url.slice(start + 1, url.indexOf(']', start));
  const colon = url.indexOf(':', start);
  if (colon !== -1 && colon < end) end = colon;
  return url.slice(start, url[end - 1] === '.' ? end - 1 : end);
}
