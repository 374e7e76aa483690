import { tokenizer, type Token } from 'acorn';

/** esbuild's helper of `keepNames`, and one as long that leaves alone who has the name already. */
const HELPER = '__name=(target,value)=>__defProp(target,"name",{value,configurable:!0})';
const SPARING = '__name=(f,v)=>f.name==v?f:__defProp(f,"name",{value:v,configurable:!0})';

type Span = readonly [start: number, end: number];

interface Piece {
  readonly label: string;
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
}

/** What stands in one pair of parentheses. */
interface Parentheses {
  /** The tokens before, `__name` last; none where something else is called. */
  readonly before: readonly Piece[];
  readonly open: Piece;
  /** The first tokens within. */
  readonly first: Piece[];
}

/** Enough to see `object . property = __name`. */
const BEHIND = 4;
/** Enough to see `async function * name`. */
const AHEAD = 4;

/** After these a function with a name of its own is an expression, as it was within the call. */
const BEFORE_EXPRESSIONS = ['=', ':', '(', ',', '=>', 'return', '?', '['];

/** The name that a function or a class is written with. */
const writtenName = (first: readonly Piece[]): unknown => {
  const [head, ...rest] = first.filter(({ value }) => value !== 'async' && value !== '*');
  return (head?.label === 'function' || head?.label === 'class') && rest[0]?.label === 'name'
    ? rest[0].value
    : undefined;
};

/** Whether the language gives what is within the name that esbuild wants for it. */
const namesItself = ({ before, first }: Parentheses, name: unknown): boolean => {
  const [ahead, target, sign] = before;
  const written = writtenName(first);
  if (written !== undefined) return written === name && BEFORE_EXPRESSIONS.includes(sign?.label ?? '');
  const isMember = ahead?.label === '.' || ahead?.label === '?.';
  if (target?.value !== name || isMember) return false;
  return sign?.label === '=' || sign?.label === ':';
};

/** Of `__name(<a function>,"name")` what stands before the function and what follows it, where the language gives that name by itself. */
const needlessIn = (closed: Parentheses | undefined, behind: readonly Piece[], end: number): Span[] => {
  const [comma, name] = behind.slice(-2);
  const call = closed?.before.at(-1);
  if (!closed || !call || comma?.label !== ',' || name?.label !== 'string' || !namesItself(closed, name.value))
    return [];
  return [
    [call.start, closed.open.end],
    [comma.start, end],
  ];
};

/** All that can go. */
const needless = (code: string): Span[] => {
  const found: Span[] = [];
  const open: Parentheses[] = [];
  let behind: Piece[] = [];
  for (const token of tokenizer(code, { ecmaVersion: 'latest' })) {
    const { value } = token as Token & { readonly value?: unknown };
    const piece = { label: token.type.label, value, start: token.start, end: token.end };
    if (piece.label === ')') found.push(...needlessIn(open.pop(), behind, piece.end));
    const around = open.at(-1);
    if (around && around.first.length < AHEAD) around.first.push(piece);
    if (piece.label === '(')
      open.push({ before: behind.at(-1)?.value === '__name' ? behind : [], open: piece, first: [] });
    behind = [...behind, piece].slice(-BEHIND);
  }
  return found;
};

/**
 * A bundle in which functions are called what they were called in the sources, without a call of esbuild's `__name` where the language names
 * them so itself. The call makes of every function an object with a dictionary and a shape of its own: in ten thousand of them a fifth
 * of the live heap, and time with each closure that a request makes. Blanks take its place, so that lines and columns stay.
 */
export const namedSparingly = (code: string): string => {
  if (!code.includes('__name(')) return code;
  if (!code.includes(HELPER)) throw new Error('esbuild has written its helper __name in another form.');
  const bytes = Buffer.from(code, 'latin1');
  for (const [start, end] of needless(code))
    bytes.write(code.slice(start, end).replace(/[^\n]/g, ' '), start, 'latin1');
  return bytes.toString('latin1').replace(HELPER, SPARING);
};
