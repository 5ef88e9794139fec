/** Names of the HTML, DOM and ECMAScript standards that the reader of scripts knows. */

const words = (list: string): readonly string[] => list.split(/\s+/);

/** Keywords that begin or divide statements and expressions. */
export const KEYWORDS = words(`var let const function class if switch with for while else do try finally catch return
  throw case default export import async new typeof void delete await yield in instanceof of true false null undefined
  this`);

/**
 * Names by which a script does something to the page: it writes into it, builds elements, leaves it, decodes a text, or
 * runs one. Code without any of them is not read.
 */
export const ACTING_WORDS =
  words(`location navigation navigate open submit requestSubmit click import with write writeln
  innerHTML outerHTML srcdoc insertAdjacentHTML setHTMLUnsafe setHTML html parseFromString parseHTMLUnsafe parseHTML
  createContextualFragment Blob File title createElement createElementNS append prepend appendChild replaceWith
  replaceChildren appendTo eval execScript Function atob unescape decodeURI decodeURIComponent fromCharCode fromCodePoint
  TextDecoder Reflect cookie`);

/** Methods that return dates and numbers: a page that writes the year shows nothing unknown. */
export const PLAIN_CALLS: ReadonlySet<string> = new Set(
  words(`getFullYear getUTCFullYear getYear getMonth getDate getDay getHours getMinutes getSeconds getTime now random
  toFixed toLocaleString toLocaleDateString toLocaleTimeString toDateString toISOString floor round ceil`),
);

/** Names of the window, and of what moves it and writes into it. */
export const HOST_NAMES = words('document window self top parent globalThis frames this');

/** Events that a visitor causes, or another page. */
export const VISITOR_EVENTS: ReadonlySet<string> = new Set(
  words(`click dblclick auxclick submit change input reset select keydown keyup keypress mousedown mouseup mousemove
  mouseover mouseout mouseenter mouseleave mousewheel pointerdown pointerup pointermove pointerover pointerout pointerenter
  pointerleave touchstart touchend touchmove touchcancel drag dragstart dragend dragover dragenter dragleave drop paste copy
  cut blur contextmenu hover tap wheel scroll resize message popstate hashchange storage beforeunload unload pagehide
  offline online visibilitychange`),
);

/** Events that happen without a visitor when a page is opened. */
export const LOADING_EVENTS: ReadonlySet<string> = new Set(
  words(`load domcontentloaded ready pageshow readystatechange error loadstart loadeddata canplay animationstart animationend
  transitionend toggle begin start`),
);

/** Properties of elements that are attributes as well. */
export const REFLECTED_NAMES: ReadonlySet<string> = new Set(
  words(`id name type value placeholder action method target href src data content title alt rel hidden width height
  autocomplete class for http-equiv formaction sandbox allow`),
);

/** Elements that show something, or lead on. */
export const SHOWN_ELEMENTS =
  words(`html body title form input textarea select button div main section article span table
  ul ol h1 h2 h3 h4 h5 h6 p a label img svg meta iframe frameset object embed`);
