import { expect, test } from 'bun:test';
import { createEventReader } from '#src/interfaces/ui/api/event-stream.ts';

const STREAM =
  'event: stage\ndata: {"stage":"dns"}\n\n: a comment\n\ndata: first\ndata: second\n\r\nevent:result\r\ndata:{"ok":true}\r\n\r\n';

const EVENTS = [
  { event: 'stage', data: '{"stage":"dns"}' },
  { event: 'message', data: 'first\nsecond' },
  { event: 'result', data: '{"ok":true}' },
];

test('returns the events of a complete stream', () => {
  expect(createEventReader()(STREAM)).toEqual(EVENTS);
});

test('returns the same events for any chunk size', () => {
  for (let size = 1; size < STREAM.length; size++) {
    const read = createEventReader();
    const events = [];
    for (let start = 0; start < STREAM.length; start += size) events.push(...read(STREAM.slice(start, start + size)));
    expect(events).toEqual(EVENTS);
  }
});

test('treats a Unicode line separator in the data as data', () => {
  expect(createEventReader()('data: a\u2028b\u2029c\n\n')).toEqual([{ event: 'message', data: 'a\u2028b\u2029c' }]);
});

test('does not return an incomplete event', () => {
  expect(createEventReader()('event: result\ndata: {"ok":')).toEqual([]);
});
