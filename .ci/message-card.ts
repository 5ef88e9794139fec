import { classifiedMails, messageFigures } from '../test/support/message-figures.ts';

/** The model card, and the marks around the figures in it. */
const CARD = 'src/engine/models/MODEL_CARD.md';
const FIGURES =
  /(<!-- figures of messages: written by `bun \.ci\/message-card\.ts` -->\n)[\s\S]*?(\n<!-- end of figures -->)/;

const card = await Bun.file(CARD).text();
if (!FIGURES.test(card)) throw new Error(`${CARD} has no place for the figures`);
const figures = messageFigures(await classifiedMails());
await Bun.write(
  CARD,
  card.replace(FIGURES, (_, start: string, end: string) => `${start}\n${figures}\n${end}`),
);
