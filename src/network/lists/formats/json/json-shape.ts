import { FEED_TERMS } from '../feed-terms.ts';

/** Place of the entries in a JSON text. */
export interface JsonShape {
  /** Path of its records, or of its texts, with a star for each member and index; null if it has neither. */
  readonly path: string | null;
  /** True if the entries are texts in an array. */
  readonly isOfTexts: boolean;
  /** Name of the array of the first entry; empty for the outermost. */
  readonly member: string;
  /** Names of the outermost members. */
  readonly members: readonly string[];
}

/** Place of an entry: number of members and indices above it, and name of its array. */
interface Place {
  readonly depth: number;
  readonly member: string;
}

/** An open bracket. */
interface Level {
  readonly isArray: boolean;
  /** Name of the nearest member above it. */
  readonly member: string;
  /** The member whose value follows; null if a name follows. */
  key: string | null;
}

const VALUES = new Set(FEED_TERMS.value);
const LISTS = new Set(FEED_TERMS.lists);
const MAX_MEMBERS = 12;

/** Finds the outermost records in the beginning of a JSON text: objects in an array that have a value. */
export async function jsonShape(beginning: string): Promise<JsonShape> {
  const { Tokenizer, TokenType } = await import('@streamparser/json');
  const levels: Level[] = [];
  const members = new Set<string>();
  const found: { records: Place | null; texts: Place | null } = { records: null, texts: null };

  const onText = (text: string, level: Level) => {
    if (level.isArray) {
      if (levels.length === 1 || LISTS.has(level.member))
        found.texts ??= { depth: levels.length, member: level.member };
    } else if (level.key === null) {
      level.key = text;
      if (levels.length === 1 && members.size < MAX_MEMBERS) members.add(text);
    } else if (VALUES.has(level.key) && levels.at(-2)?.isArray === true) {
      const depth = depthOfRecords(levels);
      if (found.records === null || depth < found.records.depth) found.records = { depth, member: level.member };
    }
  };
  const tokenizer = new Tokenizer();
  tokenizer.onToken = ({ token, value }) => {
    const level = levels.at(-1);
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      const member = level?.key ?? level?.member ?? '';
      levels.push({ isArray: token === TokenType.LEFT_BRACKET, member, key: null });
    } else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) levels.pop();
    else if (token === TokenType.COMMA && level) level.key = null;
    else if (token === TokenType.STRING && level) onText(String(value), level);
  };
  // Syntax errors are reported when the text is read.
  tokenizer.onError = () => {};
  tokenizer.write(beginning);
  const place = found.records ?? found.texts;
  return {
    path: place && `$${'.*'.repeat(place.depth)}`,
    isOfTexts: found.records === null,
    member: place?.member ?? '',
    members: [...members],
  };
}

/** Number of members and indices above a record; the attributes of an object of MISP are read with the object. */
function depthOfRecords(levels: readonly Level[]): number {
  const isInObject = levels.at(-2)?.member === 'Attribute' && levels.at(-4)?.member === 'Object';
  return levels.length - (isInObject ? 3 : 1);
}
