import { FIELD, FORM, latin1, pad, type ShownPage, TITLED, type } from './shown-markup.ts';

/** A comment that is two letters in ISO-2022-JP: only in that encoding is the form shown. */
const SHIFTED = `<p>\x1b$B<!--\x1b(B</p>${FORM}`;
const JP = '<meta charset=iso-2022-jp>';
const LONG = pad('filling ', 1100);
const html = type('text/html');
const shifted = (name: string, before: string, headers = html): ShownPage => [name, latin1(before + SHIFTED), headers];

/** Where an encoding is declared. */
const DECLARATIONS: readonly ShownPage[] = [
  shifted('encoding behind a long comment', `<!--${LONG}-->${JP}`),
  shifted('encoding behind a long style', `<head><style>${LONG}</style>${JP}</head>`),
  shifted('encoding behind a long script', `<head><script>/*${LONG}*/</script>${JP}</head>`),
  shifted('encoding behind long noscript', `<noscript>${LONG}</noscript>${JP}`),
  shifted('encoding behind long text', `${LONG}${JP}`),
  shifted('encoding behind a long paragraph', `<p>${LONG}</p>${JP}`),
  shifted('encoding in a long body', `<body>${LONG}${JP}`),
  shifted('encoding behind a long head', `<head>${LONG}</head>${JP}`),
  shifted('encoding behind a long template', `<head><template>${LONG}</template>${JP}`),
  shifted('encoding far behind', `<head><style>${pad('a{}', 300_000)}</style>${JP}`),
  shifted(
    'encoding in a pragma behind a comment',
    `<!--${LONG}-->${JP.replace('charset=', 'http-equiv=content-type content="a; charset=').replace('>', '">')}`,
  ),
  shifted('encoding in a script', `<script>"${JP}"</script>`),
  shifted('encoding in a title', `<title>${JP}</title>`),
  shifted('encoding of an XML declaration', '<?xml version="1.0" encoding="iso-2022-jp"?>'),
  shifted('encoding of an XML declaration behind a blank', ' <?xml version="1.0" encoding="iso-2022-jp"?>'),
  shifted('encoding of an XML declaration and another of meta', '<?xml encoding="iso-2022-jp"?><meta charset=utf-8>'),
  shifted('second encoding of meta', `<meta charset=utf-8>${JP}`),
  shifted('second encoding of meta behind an unknown one', `<meta charset=nothing>${JP}`),
  shifted('encoding of meta below that of the header', JP, type('text/html; charset=utf-8')),
  shifted('encoding that nothing declares', ''),
  ['utf-16 by how an XML declaration begins', utf16(`<?xml version="1.0"?>${FORM}`), html],
];

function utf16(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'utf16le'));
}

const xhtml = type('application/xhtml+xml');
const xml = type('application/xml');
const XHTML = 'http://www.w3.org/1999/xhtml';
const XFIELD = FIELD.replaceAll('=password', '="password"').replace('=p>', '="p"/>').replace('=submit>', '="submit"/>');
const XFORM = `<form action="/steal">${XFIELD}</form>`;
const page = (body: string, head = '') => `<html xmlns="${XHTML}">${head}<body>${body}</body></html>`;
const empty = (name: string) => `<${name}/>`;
const SVG = 'xmlns="http://www.w3.org/2000/svg"';
const FOREIGN = `<svg ${SVG}><foreignObject width="500" height="500"><body xmlns="${XHTML}">${XFORM}</body></foreignObject></svg>`;

/** Documents that are XML. */
const XML_DOCUMENTS: readonly ShownPage[] = [
  ...['title', 'script', 'style', 'textarea', 'iframe', 'noembed', 'xmp', 'template'].map(
    (name): ShownPage => [`xhtml: empty ${name}`, page(empty(name) + XFORM), xhtml],
  ),
  ['xhtml: no namespace', page(XFORM).replace(/ xmlns="[^"]*"/, ''), xhtml],
  ['xhtml: capitals', page(XFORM.toUpperCase().replace('/STEAL', '/steal')), xhtml],
  ['xhtml: section', page(`<p><![CDATA[ <!-- ]]></p>${XFORM}`), xhtml],
  ['xhtml: script with a comment', page(XFORM, '<head><script>1;<!-- </script> --></script></head>'), xhtml],
  ['xhtml: paragraph around the form', page(`<p>${XFORM}</p>`), xhtml],
  ['xhtml: form in a form', page(`<form action="/honest">${XFORM}</form>`), xhtml],
  ['xhtml: style sheet behind the root', page(XFORM, '<?xml-stylesheet type="text/xsl" href="/x"?>'), xhtml],
  ['xhtml: style sheet of another type', `<?xml-stylesheet type="TEXT/XSL" href="/x"?>${page(XFORM)}`, xhtml],
  ['xml: namespace by reference', page(XFORM).replace('xhtml"', '&#120;html"'), xml],
  ['xml: namespace by entity', `<!DOCTYPE html [<!ENTITY n "${XHTML}">]>${page(XFORM).replace(XHTML, '&n;')}`, xml],
  [
    'xml: namespace by default',
    `<!DOCTYPE html [<!ATTLIST html xmlns CDATA #FIXED "${XHTML}">]>${page(XFORM).replace(/ xmlns="[^"]*"/, '')}`,
    xml,
  ],
  ['xml: form in an entity', `<!DOCTYPE html [<!ENTITY f '${XFORM}'>]>${page('&f;')}`, xml],
  ['xml: utf-16 with a mark', utf16(`\ufeff${page(XFORM)}`), xml],
  ['xml: utf-16 without a mark', utf16(`<?xml version="1.0"?>${page(XFORM)}`), xml],
  ['xml: namespace behind a long comment', `<!--${pad('x', 70_000)}-->${page(XFORM)}`, xml],
  [
    'xml: encoding',
    latin1(`<?xml version="1.0" encoding="iso-2022-jp"?>${page(`<p>\x1b$B<!\x1b(B</p>${XFORM}`)}`),
    xml,
  ],
  ['xml: a tree', '<a><b>text</b></a>', xml],
  ['xml: text/xsl', page(XFORM), type('text/xsl')],
  ['xml without a type', `<?xml version="1.0"?>${page(XFORM)}`, { 'Content-Type': '' }],
  ['svg: form', FOREIGN, type('image/svg+xml')],
  ['svg: form outside foreignObject', `<svg ${SVG}><g xmlns="${XHTML}">${XFORM}</g></svg>`, type('image/svg+xml')],
  ['svg without a type', `<?xml version="1.0"?>${FOREIGN}`, { 'Content-Type': '' }],
  ['a section in a drawing', `<svg><text><![CDATA[ > <!-- ]]></text></svg>${TITLED}`, html],
  ['comment without a type', `<!--x-->${TITLED}`, { 'Content-Type': '' }],
];

/** Pages whose encoding or syntax decides what is shown. */
export const SHOWN_DOCUMENTS: readonly ShownPage[] = [...DECLARATIONS, ...XML_DOCUMENTS];
