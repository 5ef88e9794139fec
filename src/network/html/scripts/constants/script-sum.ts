import { exactText, mapChoice, type TextValue, textValue, type Value } from './script-value.ts';

type Part = Pick<TextValue, 'text' | 'knownLength' | 'encoded' | 'isPlain'>;

/** Returns `left + right` as JavaScript has it; unknown parts are left out of a text. */
export function addValues(left: Value, right: Value): Value {
  if (typeof left === 'string' && typeof right === 'string') return textValue(left + right, null, false);
  if (isChoice(left)) return mapChoice(left, (one) => addValues(one, right));
  if (isChoice(right)) return mapChoice(right, (one) => addValues(left, one));
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  if (!isText(left) && !isText(right)) return null;
  const [head, tail] = [textPart(left), textPart(right)];
  const behind = tail.knownLength === null ? null : head.text.length + tail.knownLength;
  const isPlain = [head, tail].every((part) => part.knownLength === null || part.isPlain);
  return textValue(head.text + tail.text, head.knownLength ?? behind, head.encoded || tail.encoded, isPlain);
}

/** Returns a value as a part of a text. */
export function textPart(value: Value): Part {
  if (value !== null && typeof value === 'object' && value.kind === 'text') return value;
  const text =
    value !== null && typeof value === 'object' && value.kind === 'list' ? listText(value.items) : exactText(value);
  return { text: text ?? '', knownLength: text === null ? 0 : null, encoded: false };
}

/** Maximum items of a list that becomes a text without `join`. */
const MAX_LIST = 100;

function listText(items: readonly Value[]): string | null {
  const texts = items.length > MAX_LIST ? [null] : items.map(exactText);
  return texts.includes(null) ? null : texts.join(',');
}

function isText(value: Value): boolean {
  if (typeof value === 'string') return true;
  return value !== null && typeof value === 'object' && (value.kind === 'text' || value.kind === 'list');
}

function isChoice(value: Value): boolean {
  return value !== null && typeof value === 'object' && value.kind === 'choice';
}
