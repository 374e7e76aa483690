import type { ChatMessage, Part, ToolSchema } from '../model/public';
import type { StepRecord } from '../tools/public';
import type { BurstLine, HistoryLine } from './loop.types';

const MAX_LINES = 20;
const MAX_HISTORY_TOKENS = 6_000;
/** Tokens of one request, estimated. */
const MAX_INPUT_TOKENS = 12_000;
const MAX_PICTURES = 4;

const tokens = (value: unknown): number => Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 4);

/** Of tools, which are the same for every turn. */
const ofSchemas = new WeakMap<ToolSchema, number>();
const schemaTokens = (schema: ToolSchema): number => {
  const known = ofSchemas.get(schema) ?? tokens(schema);
  ofSchemas.set(schema, known);
  return known;
};

/** The mark of people of the shop; where a customer writes it, it is none. */
const PERSON =
  /^[^\p{L}\p{N}\n]{0,8}[[(（【［][^\p{L}\p{N}\n]{0,8}t[^\p{L}\p{N}\n]{0,4}i[^\p{L}\p{N}\n]{0,4}m[^\p{L}\p{N}\n]{0,8}[\])）】］]/gimu;
const unmarked = (text: string): string => text.replace(PERSON, '');

const withoutForged = (line: HistoryLine): HistoryLine =>
  line.role === 'user' ? { ...line, content: unmarked(line.content) } : line;

/** The newest lines that fit. */
const fitting = (lines: readonly HistoryLine[]): HistoryLine[] => {
  let left = MAX_HISTORY_TOKENS;
  const newest = lines.slice(-MAX_LINES).map(withoutForged);
  const from = newest.findLastIndex(({ content }) => (left -= tokens(content)) < 0);
  return newest.slice(from + 1);
};

const said = (lines: readonly BurstLine[]): ChatMessage => {
  const text = lines
    .map(({ content, said: words = content }) => unmarked(words))
    .filter(Boolean)
    .join('\n');
  const pictures = lines.flatMap((line) => line.pictures ?? []).slice(0, MAX_PICTURES);
  if (pictures.length === 0) return { role: 'user', content: text };
  const images = pictures.map(({ mediaType, base64 }): Part => ({ type: 'image', mediaType, base64 }));
  return { role: 'user', content: [...(text ? [{ type: 'text' as const, text }] : []), ...images] };
};

/** Pictures are not counted by their bytes: providers count them by their size on the screen. */
const countable = (message: ChatMessage): unknown =>
  typeof message.content === 'object' && message.content !== null
    ? message.content.map((part) => (part.type === 'text' ? part.text : 'x'.repeat(3_000)))
    : message;

/** The messages of one turn as they grow, kept within the input limit by dropping the oldest of the history. */
export class Dialogue {
  private history: readonly ChatMessage[];
  private readonly current: ChatMessage[];
  /** How much more the provider counted than we did. */
  private scale = 1;
  /** Of what stays the same for the whole turn. */
  private readonly fixed: number;
  private readonly measured = new WeakMap<ChatMessage, number>();

  constructor(
    private readonly system: string,
    history: readonly HistoryLine[],
    burst: readonly BurstLine[],
    schemas: readonly ToolSchema[],
  ) {
    this.fixed = schemas.reduce((sum, schema) => sum + schemaTokens(schema), tokens(system));
    this.history = fitting(history);
    this.current = [said(burst)];
  }

  addStep({ text, calls }: StepRecord): void {
    const toolCalls = calls.map(({ id, tool, args }) => ({ id, name: tool, argsJson: args }));
    const results = calls.map(({ id, result }): ChatMessage => ({ role: 'tool', toolCallId: id, content: result }));
    this.current.push({ role: 'assistant', content: text, toolCalls }, ...results);
  }

  addBurst(lines: readonly BurstLine[]): void {
    this.current.push(said(lines));
  }

  /** The next request; `note` is told at the end of the instructions. */
  messages(note?: string): readonly ChatMessage[] {
    while (this.history.length > 0 && this.estimate() > MAX_INPUT_TOKENS) this.history = this.history.slice(1);
    const system = { role: 'system' as const, content: note ? `${this.system}\n\n${note}` : this.system };
    return [system, ...this.history, ...this.current];
  }

  /** Tokens of the next request. */
  estimate(): number {
    return Math.ceil(this.plain() * this.scale);
  }

  /** What the provider counted for the last request replaces our estimate. */
  counted(inputTokens: number): void {
    const plain = this.plain();
    if (inputTokens > 0 && plain > 0) this.scale = inputTokens / plain;
  }

  private plain(): number {
    return [...this.history, ...this.current].reduce((sum, message) => sum + this.sizeOf(message), this.fixed);
  }

  private sizeOf(message: ChatMessage): number {
    const known = this.measured.get(message);
    if (known !== undefined) return known;
    const size = tokens(countable(message));
    this.measured.set(message, size);
    return size;
  }
}
