/** Yields the lines of a text, one at a time: a mail may have a million. They end with CR LF, LF or CR. */
export function* linesOf(text: string): Generator<string> {
  let [feed, carriage] = [text.indexOf('\n'), text.indexOf('\r')];
  for (let at = 0; ; ) {
    if (feed !== -1 && feed < at) feed = text.indexOf('\n', at);
    if (carriage !== -1 && carriage < at) carriage = text.indexOf('\r', at);
    if (feed === -1 && carriage === -1) {
      yield text.slice(at);
      return;
    }
    const end = feed === -1 ? carriage : carriage === -1 ? feed : Math.min(feed, carriage);
    yield text.slice(at, end);
    at = end + (end === carriage && feed === end + 1 ? 2 : 1);
  }
}
