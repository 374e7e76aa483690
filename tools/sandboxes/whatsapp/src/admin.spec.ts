/** @jest-environment ../../jest/native-import.environment.cjs */
import { pairedAuth, plainClient } from './client.fixture';
import { startWhatsAppSandbox } from './sandbox';
import type { CustomerPhone, WhatsAppSandbox } from './sandbox.types';

let sandbox: WhatsAppSandbox;
let ani: CustomerPhone;

beforeAll(async () => {
  sandbox = await startWhatsAppSandbox({ fewKeys: true });
  ani = await sandbox.phone('628170000001', { name: 'Ani' });
});
afterAll(() => sandbox.stop());

const call = async (path: string, body?: object): Promise<[number, unknown, string | null]> => {
  const response = await fetch(sandbox.url + path, body && { method: 'POST', body: JSON.stringify(body) });
  return [response.status, await response.json(), response.headers.get('x-whatsapp-sandbox')];
};

describe('admin routes of the WhatsApp sandbox', () => {
  it('every answer is labelled, and trust returns the addresses and keys for a client', async () => {
    const { socketUrl, rootKey, mediaHost, mediaCa } = sandbox;
    expect(await call('/trust')).toEqual([200, { socketUrl, rootKey, mediaHost, mediaCa }, '1']);
    expect(sandbox.socketUrl).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/ws\/chat$/);
    expect(rootKey).toMatch(/^[0-9a-f]{64}$/);
    expect(await call('/nothing')).toEqual([404, { error: expect.stringContaining('GET /trust') as string }, '1']);
  });

  it('state returns counters, accounts, held messages and unlisted requests', async () => {
    const [, state] = await call('/state');
    expect(state).toEqual(sandbox.state());
    expect(sandbox.state()).toMatchObject({ counters: { pairings: 1, logins: 1 }, held: [], unlistedIqs: [] });
  });

  it('accounts, inject, faults and disconnect do the same as the methods of the sandbox', async () => {
    expect((await call('/accounts', { number: '628170000002', name: 'Budi' }))[0]).toBe(200);
    await call('/inject', { to: ani.number, from: '628170000002', id: 'A1', message: { conversation: 'hai' } });
    expect((await ani.waitFor(({ id }) => id === 'A1')).text).toBe('hai');
    await call('/faults', { number: ani.number, nack: '463' });
    const { id } = await ani.sendText('628170000002', 'x');
    await ani.waitForReceipt((receipt) => receipt.id === id && receipt.type === 'failed');
    expect((await call('/disconnect', { number: ani.number, cause: 440 }))[0]).toBe(200);
    expect(sandbox.state().accounts.map(({ online }) => online)).toEqual([false, false]);
  });

  it('a wrong call is refused with its reason', async () => {
    expect(await call('/scan', { qr: 'nonsense', number: '628170000003' })).toEqual([
      400,
      { error: expect.stringContaining('No client offers this code') as string },
      '1',
    ]);
    expect(await call('/accounts', { number: '08' })).toEqual([
      400,
      { error: '"08" is not a number: 7 to 15 digits with the country code.' },
      '1',
    ]);
  });

  it('a request without an answer is counted as unlisted', async () => {
    const client = await plainClient(sandbox, await pairedAuth(sandbox, { number: '628170000004' }));
    await client.open;
    await client.socket.query({
      tag: 'iq',
      attrs: { to: '@s.whatsapp.net', type: 'get', xmlns: 'w:biz' },
      content: [{ tag: 'business_profile', attrs: {} }],
    });
    expect(sandbox.state().unlistedIqs).toEqual(['w:biz/get/business_profile']);
    await client.end();
  });
});
