import OpenAI, { AuthenticationError, NotFoundError } from 'openai';

export interface Provider {
  /** With /v1. */
  readonly baseURL: string;
  readonly apiKey: string;
  readonly model: string;
}

const SEARCH = {
  type: 'function' as const,
  function: {
    name: 'search_products',
    description: 'Finds products of the shop',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
};

/** What bot-engine counts on with every provider that speaks OpenAI's protocol. */
export const providerContract = (title: string, provider: () => Provider): void =>
  describe(title, () => {
    const clientWith = (more: Partial<Provider> = {}) => {
      const { baseURL, apiKey } = { ...provider(), ...more };
      return new OpenAI({ baseURL, apiKey, maxRetries: 0 });
    };
    const complete = (messages: OpenAI.ChatCompletionMessageParam[], more = {}) =>
      clientWith().chat.completions.create({ model: provider().model, messages, max_tokens: 200, ...more });
    const question = { role: 'user' as const, content: 'ada sepatu lari?' };

    it('answers with a text and tells what was used', async () => {
      const { choices, usage } = await complete([{ role: 'user', content: 'halo' }]);
      expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: expect.stringMatching(/\S/) } });
      expect(usage).toMatchObject({ prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number) });
    });

    it('calls an offered tool with arguments that are JSON, and makes a text of its result', async () => {
      const forced = { tools: [SEARCH], tool_choice: { type: 'function', function: { name: 'search_products' } } };
      const { choices } = await complete([question], forced);
      const message = choices[0]?.message;
      const [call] = message?.tool_calls ?? [];
      if (!message || call?.type !== 'function') throw new Error('no tool was called');
      expect(JSON.parse(call.function.arguments)).toEqual({ query: expect.any(String) });
      const rows = JSON.stringify({ data: [{ sku: 'S1', name: 'Sepatu Lari', price: 99_000, stock: 3 }] });
      const result = { role: 'tool' as const, tool_call_id: call.id, content: rows };
      const told = await complete([question, message, result], { tools: [SEARCH], tool_choice: 'none' });
      expect(told.choices[0]?.message).toMatchObject({ content: expect.stringContaining('Sepatu Lari') });
    });

    it('refuses a wrong key and an unknown model by their status', async () => {
      const { model } = provider();
      const body = { model, messages: [question] };
      await expect(clientWith({ apiKey: 'invalid' }).chat.completions.create(body)).rejects.toThrow(
        AuthenticationError,
      );
      const unknown = clientWith().chat.completions.create({ ...body, model: 'no-such-model' });
      await expect(unknown).rejects.toThrow(NotFoundError);
    });
  });
