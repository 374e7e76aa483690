import { startSandbox, type Sandbox } from './index';

let sandbox: Sandbox;
beforeEach(async () => (sandbox = await startSandbox({ port: 0 })));
afterEach(() => sandbox.close());

const post = (
  path: string,
  body: string,
  headers: Record<string, string> = { authorization: 'Bearer very-secret-key' },
) => fetch(sandbox.url + path, { method: 'POST', body, headers });
const chat = (content: string, model = 'sandbox-rules-main') =>
  JSON.stringify({ model, temperature: 0.1, messages: [{ role: 'user', content }] });

describe('the sandbox model server', () => {
  it('records requests without credentials, for tests here and in other processes', async () => {
    await post('/v1/chat/completions?beta=true', chat('halo'), {
      authorization: 'Bearer very-secret-key',
      'x-api-key': 'very-secret-key',
      traceparent: '00-1-2-01',
    });
    const expected = {
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { 'content-type': 'text/plain;charset=UTF-8', 'user-agent': 'node', traceparent: '00-1-2-01' },
      body: { model: 'sandbox-rules-main', temperature: 0.1, messages: [{ role: 'user', content: 'halo' }] },
    };
    expect(sandbox.requests).toEqual([expected]);
    const outside = await fetch(`${sandbox.url}/__sandbox/requests`);
    expect(await outside.json()).toEqual({ requests: [expected] });
  });

  it('forgets requests and fault counters on DELETE', async () => {
    const status = async () => (await post('/v1/chat/completions', chat('halo', 'sandbox-500-1'))).status;
    expect([await status(), await status()]).toEqual([500, 200]);
    await fetch(`${sandbox.url}/__sandbox/requests`, { method: 'DELETE' });
    expect(sandbox.requests).toEqual([]);
    expect(await status()).toBe(500);
  });

  it.each([
    [
      'no key',
      '/v1/chat/completions',
      chat('halo'),
      {},
      401,
      'No API key was sent. Send any key: Authorization: Bearer <key>, or x-api-key.',
      'invalid_api_key',
      null,
    ],
    ['no JSON', '/v1/chat/completions', '{', undefined, 400, 'The request body is not a JSON object.', null, null],
    [
      'no messages',
      '/v1/chat/completions',
      '{"model":"sandbox-rules-main"}',
      undefined,
      400,
      "'messages' must be a list.",
      null,
      'messages',
    ],
    [
      'a wrong role',
      '/v1/chat/completions',
      '{"model":"sandbox-rules-main","messages":[{"role":"bot"}]}',
      undefined,
      400,
      "'messages.0.role' must be system, developer, user, assistant or tool.",
      null,
      'messages.0.role',
    ],
    [
      'no input',
      '/v1/embeddings',
      '{"model":"sandbox-rules-main","input":[]}',
      undefined,
      400,
      "'input' must be a non-empty text or a list of non-empty texts.",
      null,
      'input',
    ],
    [
      'an unknown path',
      '/v1/responses',
      '{}',
      undefined,
      404,
      'Unknown request URL: POST /v1/responses. This sandbox serves chat/completions, messages, embeddings, audio/transcriptions and models under /v1.',
      'unknown_url',
      null,
    ],
  ])('says what was wrong: %s', async (_, path, body, headers, status, message, code, param) => {
    const response = await post(path, body, headers);
    expect([response.status, await response.json()]).toEqual([
      status,
      { error: { message, type: 'invalid_request_error', param, code } },
    ]);
    expect(response.headers.get('x-sandbox')).toBe('true');
  });
});
