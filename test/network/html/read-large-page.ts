import { Parser } from 'htmlparser2';
import { readPage } from '#src/network/html/read-page.ts';
import { leastCpuMs } from '#test/support/cpu-time.ts';
import { peakRssBytes } from '#test/support/peak-memory.ts';

/**
 * Reads a page of 2 MiB, as real ones are made, in a process of its own, and prints what that took as JSON: how many times
 * as long as the parser by itself, which whatever else the machine does slows down as much.
 */
const BLOCK = `<div class="card" style="color: red"><h3>Offer &amp; more</h3><img src="/i/a.jpg" alt="A shoe"><p>Some text of
an ordinary length, with an <a href="/item/1?x=1&amp;y=2">internal link</a> and <a href="https://other.example/">another</a>.</p>
<form action="/cart" method="post"><label>How many <input name="n" type="number"></label><button>Add</button></form>
<script>window.items = window.items || []; items.push({ id: 1, url: "https://api.example/v1/items/1" });</script></div>\n`;
const bytes = new TextEncoder()
  .encode(BLOCK.repeat(Math.ceil((2 * 1024 * 1024) / BLOCK.length)))
  .subarray(0, 2 * 1024 * 1024);

const before = process.memoryUsage().rss;
const text = new TextDecoder().decode(bytes);
const bareMs = leastCpuMs(() => new Parser({ onattribute() {}, ontext() {} }).end(text), 0, 10);
// Many rounds: the first ones are read by code that is not compiled yet.
const read = () => readPage(bytes, { contentType: 'text/html; charset=utf-8', url: 'https://shop.example/' });
const timesBare = leastCpuMs(read, 6 * bareMs, 40) / bareMs;
process.stdout.write(JSON.stringify({ timesBare, grownMiB: ((await peakRssBytes('self')) - before) / 2 ** 20 }));
