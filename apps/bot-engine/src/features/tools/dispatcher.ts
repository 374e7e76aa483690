import { NotFound, Unavailable } from '@platform/errors';
import { SharedPlaces, storable, withTimeLimit, type Logger } from '@platform/runtime';
import { parse } from '@platform/validation';
import { CommerceRefusal, NotAvailable } from '../../clients/commerce.client';
import type { ToolCall, ToolSchema } from '../model/public';
import { dataResult, errorResult } from './tool.result';
import { argumentsSchema } from './tool.schema';
import type { Tool, ToolContext } from './tool.types';
import type { Dispatched, ToolBox } from './turn.tools';

/** Calls of one tool at once: in all, and of one store while there are others (a commerce that hangs for one must not stop all). */
const PLACES = { places: 120, most: 24 };
const MOST_VIOLATIONS = 5;

interface Entry {
  readonly tool: Tool;
  readonly schema: ToolSchema;
  readonly places: SharedPlaces;
}

const failed = (error: string, more?: Readonly<Record<string, unknown>>, wrote = false): Dispatched => ({
  content: errorResult(error, more),
  failed: true,
  wrote,
});

/** Arguments as the model wrote them; undefined when they are no JSON. No arguments at all are an empty object. */
const readArguments = (argsJson: string): unknown => {
  try {
    return storable({ args: JSON.parse(argsJson.trim() || '{}') as unknown }).args;
  } catch {
    return undefined;
  }
};

/** Resolves or rejects with the work, or rejects when the time is up, whether the work heeds its signal or not. */
const before = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const end = () => reject(signal.reason as Error);
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });

/** In a place of the store. */
const done = async ({ tool, places }: Entry, args: object, context: ToolContext) => {
  const leave = await places.acquire(context.store.id, context.signal);
  const work = tool.run(args, context).finally(leave);
  return before(context.signal, work);
};

const CODES: readonly (readonly [new (...args: never[]) => Error, string])[] = [
  [NotAvailable, 'not_available'],
  [NotFound, 'not_found'],
  [Unavailable, 'unavailable'],
];

/** What the model is told of an error: a code, never its text. */
const refusalOf = (thrown: unknown): { error: string; more?: Readonly<Record<string, unknown>> } => {
  if (thrown instanceof CommerceRefusal) return { error: thrown.code, more: { ...thrown.details } };
  if (thrown instanceof DOMException) return { error: 'timeout' };
  return { error: CODES.find(([kind]) => thrown instanceof kind)?.[1] ?? 'failed' };
};

/**
 * The tools of the bot behind the rules of design 3.5: only those the agent has, only arguments that their class allows, each
 * within its time and its store's share. Never rejects: whatever goes wrong is a result that the model reads.
 */
export const createDispatcher = (tools: readonly Tool[], logger: Logger): ToolBox => {
  const entries = new Map<string, Entry>(
    tools.map((tool) => {
      const schema = { name: tool.name, description: tool.description, parameters: argumentsSchema(tool.args) };
      return [tool.name, { tool, schema, places: new SharedPlaces(PLACES) }];
    }),
  );
  const offered = ({ agent }: ToolContext): Entry[] =>
    [...entries.values()].filter(({ tool }) => agent.tools.includes(tool.name));

  const run = async (entry: Entry, args: object, context: ToolContext): Promise<Dispatched> => {
    const { tool } = entry;
    const wrote = tool.kind === 'write';
    try {
      const { result, ...told } = await withTimeLimit(tool.timeoutMs, [context.signal], (signal) =>
        done(entry, args, { ...context, signal }),
      );
      return { ...told, content: dataResult(result), failed: false, wrote };
    } catch (thrown) {
      const { error, more } = refusalOf(thrown);
      if (error === 'failed') logger.error('a tool of the bot failed', { tool: tool.name, cause: thrown });
      return failed(error, more, wrote);
    }
  };

  const dispatch = async (call: ToolCall, context: ToolContext): Promise<Dispatched> => {
    const available = offered(context);
    const entry = available.find(({ tool }) => tool.name === call.name);
    if (!entry) return failed('unknown tool', { tools: available.map(({ tool }) => tool.name).join(', ') });
    const raw = readArguments(call.argsJson);
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return failed('arguments are no JSON object');
    const { value, violations } = parse(entry.tool.args, raw, { unknownKeys: 'refuse' });
    if (value) return run(entry, value, context);
    return failed('invalid arguments', {
      problems: violations.slice(0, MOST_VIOLATIONS).map((one) => one.message),
    });
  };

  return { schemas: (context) => offered(context).map(({ schema }) => schema), dispatch };
};
