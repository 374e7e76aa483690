import type { RequestListener } from 'node:http';
import { startHttpServer, useOpened } from '@platform/testing';
import { anthropicChat } from './anthropic.adapter';
import type { ChatModel, ChatRequest, Provider } from './chat.model';
import { openaiChat } from './openai-chat.adapter';

const opened = useOpened();
const REQUEST: ChatRequest = {
  model: 'm',
  messages: [{ role: 'user', content: 'halo' }],
  maxTokens: 9,
  temperature: 0,
};
const OPTIONS = { apiKey: 'key', tokenParameter: 'max_tokens', sendTemperature: true, refuseSandbox: false } as const;

const MODELS: Record<Provider, (url: string) => ChatModel> = {
  openai: (url) => openaiChat({ ...OPTIONS, baseUrl: `${url}/v1` }),
  anthropic: (url) => anthropicChat({ ...OPTIONS, baseUrl: url }),
};
/** The same reply in the words of both. */
const BODIES: Record<Provider, (tokens: number, calls: readonly { name: string; args: string }[]) => string> = {
  openai: (tokens, calls) =>
    `{"choices":[{"message":{"content":"ok","tool_calls":[${calls
      .map(({ name, args }, n) => JSON.stringify({ id: `c${n}`, function: { name, arguments: args } }))
      .join(',')}]}}],"usage":{"prompt_tokens":${written(tokens)},"completion_tokens":1}}`,
  anthropic: (tokens, calls) =>
    `{"content":[${[
      '{"type":"text","text":"ok"}',
      ...calls.map(
        ({ name, args }, n) => `{"type":"tool_use","id":"c${n}","name":${JSON.stringify(name)},"input":${args}}`,
      ),
    ].join(',')}],"usage":{"input_tokens":${written(tokens)},"output_tokens":1}}`,
};
/** JSON knows numbers that are none of ours. */
const written = (tokens: number): string => (tokens === Infinity ? '1e999' : String(tokens));

const provider = async (name: Provider, listener: RequestListener): Promise<ChatModel> =>
  MODELS[name](opened(await startHttpServer(listener)).url);
const answering = (name: Provider, body: string): Promise<ChatModel> =>
  provider(name, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
const complete = (model: ChatModel) => model.complete(REQUEST, AbortSignal.timeout(20_000));

describe.each<Provider>(['openai', 'anthropic'])('a provider that speaks as %s', (name) => {
  it('and whose answer never ends is heard to a limit, not until the memory is full', async () => {
    let sent = 0;
    const part = ' '.repeat(65_536);
    const model = await provider(name, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (!response.destroyed && sent < 64 * 1024 * 1024 && response.write(part)) sent += part.length;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    await expect(complete(model)).rejects.toMatchObject({ kind: 'shape', facts: { httpStatus: 200 } });
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });

  it.each([Infinity, 1e12, -5, 0])('and counts %d tokens is counted by an estimate', async (tokens) => {
    const reply = await complete(await answering(name, BODIES[name](tokens, [])));
    expect(reply).toMatchObject({ text: 'ok', usage: null });
  });

  it('and asks for a thousand tools, or with a megabyte of arguments, has said nothing usable', async () => {
    const call = { name: 'search_products', args: '{"query":"sepatu"}' };
    const many = Array.from({ length: 1_000 }, () => call);
    const long = { ...call, args: JSON.stringify({ query: 'x'.repeat(1_000_000) }) };
    for (const calls of [many, [long], [{ ...call, name: 'n'.repeat(10_000) }]])
      await expect(complete(await answering(name, BODIES[name](5, calls)))).rejects.toMatchObject({ kind: 'shape' });
  });
});
