import type { Dialogue, Picture, ToolChoice, Turn } from './dialogue';
import { readConversationFacts, type ConversationFacts } from './facts.reader';
import { isRecord, parseJson, type Json } from './json.reader';
import { speaksEnglish, phrases, type Phrases } from './phrases';

export interface ToolResult {
  readonly name: string;
  readonly args: unknown;
  /** The tool's JSON without its `{"data": ...}` wrapping. */
  readonly data: unknown;
  readonly failed: boolean;
}

/** The input of the rules: the customer's open question, and the tool results for it so far. */
export interface Scene {
  /** User lines since the last assistant text, joined by newlines. */
  readonly question: string;
  /** Sent with the question. */
  readonly pictures: readonly Picture[];
  readonly results: readonly ToolResult[];
  readonly facts: ConversationFacts;
  readonly tools: ReadonlySet<string>;
  readonly choice: ToolChoice;
  readonly system: string;
  /** Earlier user lines, newest first. */
  readonly earlier: readonly string[];
  readonly lastAnswer: string;
  readonly say: Phrases;
}

export const sceneOf = ({ turns, tools, choice }: Dialogue): Scene => {
  const answered = turns.findLastIndex(
    ({ role, text, toolCalls }) => role === 'assistant' && text !== '' && !toolCalls.length,
  );
  const open = turns.slice(answered + 1);
  const system = textOf(turns, 'system').join('\n');
  const question = textOf(open, 'user').join('\n');
  return {
    question,
    pictures: open.flatMap(({ pictures = [] }) => pictures),
    results: resultsIn(open),
    facts: readConversationFacts(system),
    tools: new Set(tools.map(({ name }) => name)),
    choice,
    system,
    earlier: textOf(turns.slice(0, answered + 1), 'user').reverse(),
    lastAnswer: turns[answered]?.text ?? '',
    say: speaksEnglish(question) ? phrases.en : phrases.id,
  };
};

const textOf = (turns: readonly Turn[], role: Turn['role']): string[] =>
  turns.filter((turn) => turn.role === role && turn.text !== '').map(({ text }) => text);

const resultsIn = (turns: readonly Turn[]): ToolResult[] => {
  const calls = new Map(turns.flatMap(({ toolCalls }) => toolCalls).map((call) => [call.id, call]));
  return turns
    .filter(({ role }) => role === 'tool')
    .map(({ text, toolCallId }) => {
      const call = calls.get(toolCallId ?? '');
      const value = parseJson(text);
      return {
        name: call?.name ?? '',
        args: parseJson(call?.argsJson ?? ''),
        data: unwrapped(value),
        failed: isFailure(value),
      };
    });
};

const unwrapped = (value: unknown): unknown => (isRecord(value) && 'data' in value ? value.data : value);

const isFailure = (value: unknown): boolean => {
  const failed = (part: unknown): boolean => part === undefined || (isRecord(part) && 'error' in part);
  return failed(value) || failed(unwrapped(value));
};

/** The result of exactly this call, if it was made already. Calls are not repeated: each may have effects or costs. */
export const resultOf = (scene: Scene, name: string, args: Json): ToolResult | undefined => {
  const wanted = canonical(args);
  return scene.results.findLast((result) => result.name === name && canonical(result.args) === wanted);
};

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
