import { expect, test } from 'bun:test';
import { createEventReader } from '#src/interfaces/ui/api/event-stream.ts';

const STREAM =
  'event: stage\ndata: {"stage":"dns"}\n\n: a comment\n\ndata: first\ndata: second\n\r\nevent:result\r\ndata:{"ok":true}\r\n\r\n';

const EVENTS = [
  { event: 'stage', data: '{"stage":"dns"}' },
  { event: 'message', data: 'first\nsecond' },
  { event: 'result', data: '{"ok":true}' },
];

test('a stream read whole gives its events', () => {
  expect(createEventReader()(STREAM)).toEqual(EVENTS);
});

test('a stream read in pieces of any size gives what the whole gives', () => {
  for (let size = 1; size < STREAM.length; size++) {
    const read = createEventReader();
    const events = [];
    for (let start = 0; start < STREAM.length; start += size) events.push(...read(STREAM.slice(start, start + size)));
    expect(events).toEqual(EVENTS);
  }
});

test('a line separator within the data is data', () => {
  expect(createEventReader()('data: a\u2028b\u2029c\n\n')).toEqual([{ event: 'message', data: 'a\u2028b\u2029c' }]);
});

test('an event that has not ended yet is not given', () => {
  expect(createEventReader()('event: result\ndata: {"ok":')).toEqual([]);
});
