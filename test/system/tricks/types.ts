import { COLLECTOR, type Kit, ROOT, type Tricks, typed } from './trick.ts';

const SVG = 'http://www.w3.org/2000/svg';
const XHTML = 'http://www.w3.org/1999/xhtml';

/** The body as XML. */
const inXml = ({ body }: Kit) => body.replaceAll(/<input([^>]*)>/g, '<input$1/>');
const xhtml = (kit: Kit, inside: string, head = '') =>
  `<?xml version="1.0" encoding="utf-8"?><html xmlns="${XHTML}"><head><title>${kit.title}</title>${head}</head><body>${inside}</body></html>`;
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

/** Documents of other types that Chromium shows. */
export const TYPES: Tricks = {
  'XHTML with an element that closes itself': (kit) => ({
    '/': typed('application/xhtml+xml', xhtml(kit, inXml(kit), '<script/>')),
  }),
  'XHTML with an empty title': (kit) => ({
    '/': typed('application/xhtml+xml', xhtml(kit, inXml(kit)).replace(/<title>.*?<\/title>/, '<title/>')),
  }),
  'XHTML with a text area that closes itself': (kit) => ({
    '/': typed('application/xhtml+xml; charset=utf-8', xhtml(kit, `<textarea hidden="hidden"/>${inXml(kit)}`)),
  }),
  'XHTML in another type of XML': (kit) => ({ '/': typed('text/xml', xhtml(kit, inXml(kit), '<style/>')) }),
  'XHTML with a form of an entity': (kit) => ({
    '/': typed(
      'application/xhtml+xml',
      xhtml(kit, '&view;').replace('?>', `?><!DOCTYPE html [<!ENTITY view '${inXml(kit).replaceAll("'", '&#39;')}'>]>`),
    ),
  }),
  'XHTML by a prefix': (kit) => ({
    '/': typed(
      'application/xml',
      xhtml(kit, inXml(kit))
        .replaceAll(/<(\/?)([a-z])/g, '<$1h:$2')
        .replace('xmlns=', 'xmlns:h='),
    ),
  }),
  'XHTML whose script is in a section': (kit) => ({
    '/': typed(
      'application/xhtml+xml',
      xhtml(kit, `<div id="root"></div><script><![CDATA[${ROOT}.innerHTML=\`${inXml(kit)}\`]]></script>`),
    ),
  }),
  'XML in two bytes per character': (kit) => ({
    '/': typed('application/xml', utf16(xhtml(kit, inXml(kit)).replace('utf-8', 'utf-16'))),
  }),
  'XML with a style sheet of its own': (kit) => ({
    '/': typed('text/xml', '<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="/v.xsl"?><page/>'),
    '/v.xsl': typed(
      'text/xsl',
      `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:output method="html"/><xsl:template match="/"><html><head><title>${kit.title}</title></head><body>${inXml(kit)}</body></html></xsl:template></xsl:stylesheet>`,
    ),
  }),
  'drawing with a foreign object': (kit) => ({
    '/': typed(
      'image/svg+xml',
      `<svg xmlns="${SVG}" width="800" height="600"><foreignObject width="800" height="600"><body xmlns="${XHTML}">${inXml(kit)}</body></foreignObject></svg>`,
    ),
  }),
  'drawing whose script leads on': (kit) => ({
    '/': typed('image/svg+xml', `<svg xmlns="${SVG}"><script>location.href="/account"</script></svg>`),
    '/account': kit.page,
  }),
  'drawing whose load leads on': (kit) => ({
    '/': typed('image/svg+xml', `<svg xmlns="${SVG}" onload="window.location.replace('/account')"></svg>`),
    '/account': kit.page,
  }),
  'drawing with a script in a section, to another host': (kit) => ({
    '/': typed(
      'image/svg+xml',
      `<svg xmlns="${SVG}"><script><![CDATA[window.location='http://${kit.other}/x']]></script></svg>`,
    ),
    [`//${kit.other}/x`]: kit.page,
  }),
  'no type at all': ({ page }) => ({ '/': typed('', page) }),
  'no type, and blanks before': ({ page }) => ({ '/': typed('', `\n\n   ${page}`) }),
  'unknown type': ({ page }) => ({ '/': typed('*/*', page) }),
  'type in capitals with a parameter': ({ page }) => ({ '/': typed('TEXT/HTML;level=1', page) }),
  'form in a drawing within HTML': ({ body, title }) => ({
    '/': `<!doctype html><title>${title}</title><svg width="700" height="500"><foreignObject width="700" height="500">${body}</foreignObject></svg><!-- ${COLLECTOR} -->`,
  }),
};
