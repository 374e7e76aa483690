import { startGraphSandbox, type GraphSandbox } from './index';
import { defaultNumber } from './wa/whatsapp.store';
import { escaped, signatureOf } from './wa/webhook.sender';

const { id: NUMBER, token } = defaultNumber;
let sandbox: GraphSandbox;
beforeEach(async () => void (sandbox = await startGraphSandbox({ port: 0 })));
afterEach(() => sandbox.close());

const call = (path: string, init: RequestInit = {}) =>
  fetch(sandbox.url + path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
const post = (path: string, body: unknown) => call(path, { method: 'POST', body: JSON.stringify(body) });
const control = async (verb: string, body: unknown = {}) =>
  (await post(`/__sandbox/wa/${verb}`, body)).json() as Promise<Record<string, unknown>>;
const text = (to: string, body: string) => ({ messaging_product: 'whatsapp', to, type: 'text', text: { body } });
const codeOf = async (answer: Response) => ((await answer.json()) as { error?: { code: number } }).error?.code;

describe("the sandbox of Meta's Graph API", () => {
  it('marks every answer as not from Meta', async () => {
    const answers = await Promise.all([call(`/v24.0/${NUMBER}`), fetch(`${sandbox.url}/v24.0/nothing`)]);
    expect(answers.map(({ status, headers }) => [status, headers.get('x-graph-sandbox')])).toEqual([
      [200, '1'],
      [400, '1'],
    ]);
  });

  it('answers what no family of calls knows as the Graph API does, not as WhatsApp', async () => {
    const answer = await call('/v24.0/act_1/campaigns', { method: 'POST', body: '{}' });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      {
        error: {
          message: 'Unsupported post request. This sandbox does not serve /v24.0/act_1/campaigns',
          type: 'GraphMethodException',
          code: 100,
          error_subcode: 33,
          fbtrace_id: expect.any(String),
        },
      },
    ]);
  });

  it('refuses production and every address that is not loopback', async () => {
    await expect(startGraphSandbox({ port: 0, appEnv: 'production' })).rejects.toThrow('APP_ENV=production');
    await expect(startGraphSandbox({ port: 0, host: '0.0.0.0' })).rejects.toThrow('loopback only');
  });

  it('refuses calls without a token', async () => {
    const answers = await Promise.all([
      fetch(`${sandbox.url}/v24.0/${NUMBER}`),
      fetch(`${sandbox.url}/v24.0/${NUMBER}/messages`, { method: 'POST', body: '{}' }),
    ]);
    expect(await Promise.all(answers.map(codeOf))).toEqual([190, 190]);
  });

  it('describes its number', async () => {
    expect(await (await call(`/v24.0/${NUMBER}`)).json()).toEqual({
      verified_name: 'Toko Nusa',
      display_phone_number: '+62 811-1000-0001',
      quality_rating: 'GREEN',
      platform_type: 'CLOUD_API',
      id: NUMBER,
    });
  });
});

describe('POST messages', () => {
  it.each([
    ['text of 4,097 characters', text('628120000001', 'x'.repeat(4_097)), 100],
    ['no recipient', { messaging_product: 'whatsapp', type: 'text', text: { body: 'x' } }, 100],
    ['an unknown type', { messaging_product: 'whatsapp', to: '628120000001', type: 'poll', poll: {} }, 100],
    [
      'a file that was not uploaded',
      { messaging_product: 'whatsapp', to: '6281', type: 'image', image: { id: '1' } },
      131053,
    ],
  ])('refuses %s', async (_, body, code) => {
    expect(await codeOf(await post(`/v24.0/${NUMBER}/messages`, body))).toBe(code);
    expect(sandbox.wa.store.sent).toEqual([]);
  });

  it.each([
    [130429, 429],
    [131056, 400],
    [131047, 400],
    [131026, 400],
    [190, 401],
    [131000, 500],
  ])('answers once with the requested error %i, and accepts no message', async (code, status) => {
    await control('faults', { kind: 'error', code });
    const refused = await post(`/v24.0/${NUMBER}/messages`, text('628120000001', 'x'));
    expect([refused.status, await codeOf(refused)]).toEqual([status, code]);
    expect(sandbox.wa.store.sent).toEqual([]);
    expect((await post(`/v24.0/${NUMBER}/messages`, text('628120000001', 'x'))).status).toBe(200);
  });

  it('can accept a message and then drop the connection', async () => {
    await control('faults', { kind: 'accept_then_drop', to: '628120000001' });
    await expect(post(`/v24.0/${NUMBER}/messages`, text('628120000001', 'x'))).rejects.toThrow();
    expect(sandbox.wa.store.shown('628120000001')).toHaveLength(1);
  });
});

describe('control routes of the Graph sandbox', () => {
  it('name what is wrong with an order', async () => {
    expect(await control('faults', { kind: 'error', code: 7 })).toEqual({
      error: 'code must be one of 1, 2, 4, 100, 190, 130429, 131000, 131026, 131047, 131053, 131056',
    });
    expect(await control('inbound', { text: 'x' })).toEqual({
      error: 'from is required, or user_id for a person without a number',
    });
    expect((await post('/__sandbox/wa/nothing', {})).status).toBe(404);
  });

  it('do the same as the methods of `sandbox.wa`: inbound, read, play, offline', async () => {
    expect(await control('inbound', { from: '628120000001', text: 'halo' })).toEqual({
      id: expect.stringMatching(/^wamid\./),
    });
    await control('offline', { from: '628120000001' });
    await post(`/v24.0/${NUMBER}/messages`, text('628120000001', 'x'));
    expect(sandbox.wa.store.sent.map(({ level }) => level)).toEqual(['sent']);
    expect(await control('offline', { from: '628120000001', on: false })).toMatchObject({ on: false });
    expect(sandbox.wa.store.sent.map(({ level }) => level)).toEqual(['delivered']);
    expect(await control('read', { from: '628120000001' })).toEqual({ count: 1 });
    expect(await control('play', { from: '628120000001' })).toEqual({ count: 1 });
    expect(sandbox.wa.store.sent.map(({ level }) => level)).toEqual(['played']);
  });
});

describe('the signature of a webhook', () => {
  it('covers the escaped text, with lower-case hex digits', () => {
    expect(escaped({ body: 'ä😀' })).toBe('{"body":"\\u00e4\\ud83d\\ude00"}');
    // openssl dgst -sha256 -hmac secret
    expect(signatureOf('{"a":1}', 'secret')).toBe(
      'sha256=aa9e2e3575f5d7098b6caccd790888c36d5fdb63342a73bada2d6a51747a8494',
    );
  });
});
