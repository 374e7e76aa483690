import { Agent, request } from 'node:http';
import { useGateway, type HttpReply } from './gateway.fixture';

const gateway = useGateway({ RATE_LIMIT: '3', TRUST_PROXY: '127.0.0.1' });

const from = (address: string): Promise<Response> =>
  fetch(`${gateway.client.url}/api/device-info`, { headers: { 'x-forwarded-for': address } });

/** Over a connection that stays open. */
const over = (agent: Agent): Promise<HttpReply> =>
  new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': '198.51.100.9' };
    request(`${gateway.client.url}/api/device-info`, { agent, headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += String(chunk)));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) as unknown }));
    })
      .on('error', reject)
      .end();
  });

describe('RATE_LIMIT', () => {
  it('refuses an address that asks too often, and says when to come again; others do not notice', async () => {
    for (let n = 0; n < 3; n++) expect((await from('198.51.100.1')).status).toBe(200);
    const refused = await from('198.51.100.1');
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      429,
      '60',
      { success: false, message: 'too many requests', error: { code: 'RATE_LIMIT', retryable: true } },
    ]);
    expect((await from('198.51.100.2')).status).toBe(200);
  });
});

describe('a gateway that is told to stop', () => {
  it('refuses what still comes over open connections', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await over(agent)).status).toBe(200);
    gateway.app.service.draining?.();
    expect(await over(agent)).toEqual({
      status: 503,
      body: { success: false, message: 'draining', error: { code: 'UNAVAILABLE', retryable: true } },
    });
    agent.destroy();
  });
});
