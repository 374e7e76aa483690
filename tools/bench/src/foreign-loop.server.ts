// The same turn as the bot's, by other libraries: one question, two tools, an answer. No mailbox, no database, no log.
import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { environment } from '@platform/runtime';
import { workspaceRoot } from './workspace';

const [port, library] = process.argv.slice(2);
const { LLM_BASE_URL = '', COMMERCE_URL = '', AGENTS_DIR = '' } = environment;
const MODEL = 'sandbox-rules-main';
const SYSTEM = 'Kamu adalah Nusa, asisten toko. Prices and stock only from tool results.';
const TOOLS = {
  search_products: {
    description: "Finds products of the store by the customer's words",
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
  check_stock: {
    description: 'Live stock of products',
    parameters: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: { type: 'object', properties: { sku: { type: 'string' }, quantity: { type: 'integer' } } },
        },
      },
      required: ['items'],
    },
  },
} as const;

type Args = Readonly<Record<string, unknown>>;

const asked = async (path: string, body?: object): Promise<object> => {
  const headers = { 'Content-Type': 'application/json', 'X-Store-Id': 'S1' };
  const answer = await fetch(`${COMMERCE_URL}${path}`, {
    ...(body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }),
  });
  const { data } = (await answer.json()) as { data: object };
  return { data };
};

/** Both tools, over HTTP as ours. */
const run = (name: string, args: Args): Promise<object> =>
  name === 'search_products'
    ? asked('/api/products?skus=SKU-1')
    : asked('/api/products/check-stock', {
        items: (args.items as { sku: string }[]).map(({ sku }) => ({ sku, qty: 1 })),
      });

interface Message {
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[];
}

/** The loop with nothing but `fetch`. */
const bare = async (question: string): Promise<string> => {
  const messages: object[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: question },
  ];
  const tools = Object.entries(TOOLS).map(([name, tool]) => ({ type: 'function', function: { name, ...tool } }));
  for (let step = 0; step < 6; step += 1) {
    const answer = await fetch(`${LLM_BASE_URL}/chat/completions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer bench' },
      body: JSON.stringify({ model: MODEL, messages, tools }),
    });
    const { choices } = (await answer.json()) as { choices: { message: Message }[] };
    const message = choices[0]?.message;
    if (!message?.tool_calls?.length) return message?.content ?? '';
    messages.push(message);
    for (const { id, function: call } of message.tool_calls) {
      const result = await run(call.name, JSON.parse(call.arguments) as Args);
      messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(result) });
    }
  }
  return '';
};

/** Packages that only this comparison needs, from a folder of their own. */
const load = createRequire(join(workspaceRoot, AGENTS_DIR, 'package.json'));

interface Ai {
  generateText(options: object): Promise<{ readonly text: string }>;
  tool(options: object): object;
  jsonSchema(schema: object): object;
  stepCountIs(steps: number): object;
}

const byAi = (): ((question: string) => Promise<string>) => {
  const { generateText, tool, jsonSchema, stepCountIs } = load('ai') as Ai;
  const { createOpenAICompatible } = load('@ai-sdk/openai-compatible') as {
    createOpenAICompatible(options: object): (model: string) => object;
  };
  const provider = createOpenAICompatible({ name: 'bench', baseURL: LLM_BASE_URL, apiKey: 'bench' });
  const tools = Object.fromEntries(
    Object.entries(TOOLS).map(([name, { description, parameters }]) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters), execute: (args: Args) => run(name, args) }),
    ]),
  );
  return async (prompt) => {
    const model = provider(MODEL);
    return (await generateText({ model, system: SYSTEM, prompt, tools, stopWhen: stepCountIs(6), maxRetries: 0 })).text;
  };
};

interface Graph {
  invoke(state: object): Promise<{ readonly messages: readonly { readonly content: unknown }[] }>;
}

const byLangGraph = (): ((question: string) => Promise<string>) => {
  const { ChatOpenAI } = load('@langchain/openai') as { ChatOpenAI: new (options: object) => object };
  const { tool } = load('@langchain/core/tools') as { tool(run: unknown, options: object): object };
  const { createReactAgent } = load('@langchain/langgraph/prebuilt') as { createReactAgent(options: object): Graph };
  const configuration = { baseURL: LLM_BASE_URL };
  const llm = new ChatOpenAI({ model: MODEL, apiKey: 'bench', configuration, maxRetries: 0 });
  const tools = Object.entries(TOOLS).map(([name, { description, parameters }]) =>
    tool(async (args: Args) => JSON.stringify(await run(name, args)), { name, description, schema: parameters }),
  );
  const agent = createReactAgent({ llm, tools, prompt: SYSTEM });
  return async (content) =>
    String((await agent.invoke({ messages: [{ role: 'user', content }] })).messages.at(-1)?.content);
};

const LIBRARIES = { fetch: () => bare, ai: byAi, langgraph: byLangGraph };
const answer = LIBRARIES[library as keyof typeof LIBRARIES]();

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
};

createServer((request, response) => {
  void (async () => {
    const body = await bodyOf(request);
    if (request.url === '/ready') return response.end();
    const { message } = JSON.parse(body) as { message: string };
    const text = JSON.stringify({ statusCode: 201, data: { answer: [await answer(message)] } });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) };
    return response.writeHead(201, headers).end(text);
  })().catch((failure: unknown) => response.writeHead(500).end(String(failure)));
}).listen(Number(port), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
