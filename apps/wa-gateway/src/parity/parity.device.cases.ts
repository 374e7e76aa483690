import { messageOf, type ParityCase } from './parity.world';

/** What a device lives through, in this order: the last case ends it. */
export const deviceCases: readonly ParityCase[] = [
  {
    name: 'messages that came while the gateway was away arrive once and in order',
    run: async ({ budi, count, heard, settled, startGateway, stopGateway }) => {
      await stopGateway();
      const ids: string[] = [];
      for (let n = 0; n < 5; n++) ids.push(await budi.send({ kind: 'text', text: `sambil menunggu ${n}` }));
      await startGateway();
      for (const [n, id] of ids.entries())
        expect(await heard(id)).toEqual({
          fields: messageOf(budi, { id, text: `sambil menunggu ${n}`, type: 'chat' }),
        });
      await settled();
      expect(ids.map(count)).toEqual([1, 1, 1, 1, 1]);
    },
  },
  {
    name: 'a restart keeps the device, without a new code',
    run: async ({ budi, client, instanceID, send, shown, startGateway, stopGateway, until }) => {
      await stopGateway();
      await startGateway();
      const state = () => client.data<{ status: string }>(client.get(`/api/device-info?instanceID=${instanceID}`));
      await until(state, ({ status }) => status === 'connected');
      const id = await send(budi.number, { text: 'kami kembali' });
      expect((await shown(budi, id)).content).toEqual({ kind: 'text', text: 'kami kembali' });
    },
  },
  {
    name: 'what was read and who is typing is told to the network',
    needs: ['mark_read', 'typing'],
    run: async ({ budi, client, heard, instanceID }) => {
      const id = await budi.send({ kind: 'text', text: 'sudah dibaca?' });
      await heard(id);
      const number = `${budi.number}@s.whatsapp.net`;
      const ask = (path: string, more: object) => client.post(path, { instanceID, number: budi.number, ...more });
      const done = (message: string, data: object) => ({ status: 200, body: { success: true, message, data } });
      expect(await ask('/api/mark-read', { ids: [id] })).toEqual(done('success mark read', { number, count: 1 }));
      expect(await ask('/api/typing', { on: true })).toEqual(done('success typing', { number, on: true }));
    },
  },
  {
    name: 'logout ends the device, also when it is repeated',
    run: async ({ budi, client, instanceID }) => {
      const gone = {
        status: 200,
        body: { success: true, message: 'success logout', data: { instanceID, status: 'logged_out' } },
      };
      expect(await client.get(`/api/logout?instanceID=${instanceID}`)).toEqual(gone);
      expect(await client.get(`/api/logout?instanceID=${instanceID}`)).toEqual(gone);
      const data = { instanceID, number: budi.number, text: 'masih ada?' };
      expect(await client.post('/api/send-message', { pesan_id: 'parity-gone', role: 'agent', data })).toEqual({
        status: 409,
        body: {
          success: false,
          message: 'device not connected',
          error: { code: 'DEVICE_STATE', retryable: true, status: 'logged_out' },
        },
      });
    },
  },
];
