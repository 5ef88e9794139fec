/** One event of a server-sent stream. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/** Reads server-sent events (HTML §9.2.6) out of text that arrives in pieces; only `event` and `data` are kept. */
export function createEventReader(): (piece: string) => StreamEvent[] {
  let rest = '';
  return (piece) => {
    const blocks = (rest + piece).split(/\r\n\r\n|\n\n|\r\r/);
    rest = blocks.pop() ?? '';
    return blocks.map(readBlock).filter((event) => event.data !== '');
  };
}

function readBlock(block: string): StreamEvent {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  }
  return { event, data: data.join('\n') };
}
