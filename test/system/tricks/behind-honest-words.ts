import { drawn, HONEST_TEXT, literal, pageOf, type Tricks } from './trick.ts';

const FILL = 'position:fixed;inset:0;width:100%;height:100%;border:0';
const LONG = HONEST_TEXT.repeat(5);
const afterWords = (more: string, head = '') => pageOf('Riverside choir', `${LONG}${more}`, head);

/** Pages with content of their own, over which or from which something else is shown at once. */
export const BEHIND_HONEST_WORDS: Tricks = {
  'frame over the words, by an id of a style element': ({ page }) => ({
    '/': afterWords('<iframe id="f" src="/in"></iframe>', `<style>#f{${FILL}}</style>`),
    '/in': page,
  }),
  'frame over the words, by its element in a style element': ({ page }) => ({
    '/': afterWords('<iframe src="/in"></iframe>', `<style>p{margin:0}iframe{${FILL}}</style>`),
    '/in': page,
  }),
  'frame over the words, made by script': ({ page }) => ({
    '/': afterWords(
      `<script>const f=document.createElement("iframe");f.src="/in";f.style.cssText="${FILL}";document.body.append(f)</script>`,
    ),
    '/in': page,
  }),
  'frame over the words, in a literal': ({ page }) => ({
    '/': afterWords(`<div id="o"></div><script>o.innerHTML='<iframe src="/in" style="${FILL}"></iframe>'</script>`),
    '/in': page,
  }),
  'words replaced by a literal': ({ body }) => ({
    '/': afterWords(`<script>document.body.innerHTML=${literal(body)}</script>`),
  }),
  'layer over the words': ({ body }) => ({
    '/': afterWords(`<div style="position:fixed;inset:0;background:#fff;overflow:auto">${body}</div>`),
  }),
  'exit after a while': ({ page }) => ({
    '/': afterWords('<script>setTimeout(function(){location.href="/in"},1200)</script>'),
    '/in': page,
  }),
  'exit when loaded, to another site': ({ page, other }) => ({
    '/': afterWords(`<script>onload=()=>{location.replace("http://${other}/in")}</script>`),
    [`//${other}/in`]: page,
  }),
  'refresh after the words': ({ page }) => ({
    '/': afterWords('', '<meta http-equiv="refresh" content="1; url=in.html">'),
    '/in.html': page,
  }),
  'form that is sent by the method of its class': ({ page }) => ({
    '/': drawn(
      'HTMLFormElement.prototype.submit.call(document.querySelector("form"))',
      `${HONEST_TEXT}<form action="/in"><input name="step" value="2"></form>`,
    ),
    '/in': page,
  }),
};
