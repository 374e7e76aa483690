import { createHash } from 'node:crypto';
import { messageOf, type ParityCase, type ParityWorld } from './parity.world';

/** The same pesan_id always gives the same id (design 3.3), so a status can be made to come before its message. */
const idOf = (instanceID: string, pesanId: string): string =>
  `3EB0${createHash('sha256').update(`${instanceID}|${pesanId}`).digest('hex').slice(0, 18).toUpperCase()}`;

const reached = ({ statuses, until }: ParityWorld, id: string, last: string): Promise<string[]> =>
  until(
    () => statuses(id),
    (told) => told.includes(last),
  );

const ladders: ParityCase[] = [
  {
    name: 'a send is pending, sent, delivered, viewed and played, each told once',
    run: async (world) => {
      const { budi, sendMedia, shown } = world;
      const ogg = Buffer.concat([Buffer.from('OggS\0\x02', 'latin1'), Buffer.alloc(2_000, 7)]);
      const id = await sendMedia(budi.number, 'voice', ogg);
      await shown(budi, id);
      await reached(world, id, 'delivered');
      await budi.read();
      await reached(world, id, 'viewed');
      await budi.play(id);
      await reached(world, id, 'played');
      await world.settled();
      expect(world.statuses(id)).toEqual(['pending', 'sent', 'delivered', 'viewed', 'played']);
    },
  },
  {
    name: 'a skipped level stays untold, also when it comes later',
    run: async (world) => {
      const { budi, send } = world;
      await budi.offline(true);
      const id = await send(budi.number, { text: 'dilompati' });
      await reached(world, id, 'sent');
      await budi.receipt(id, 'viewed');
      await reached(world, id, 'viewed');
      await budi.receipt(id, 'delivered');
      await budi.receipt(id, 'played');
      await reached(world, id, 'played');
      await budi.offline(false);
      await world.settled(budi);
      expect(world.statuses(id)).toEqual(['pending', 'sent', 'viewed', 'played']);
    },
  },
  {
    name: 'a status that comes before its message is told with it',
    run: async (world) => {
      const { budi, instanceID, send } = world;
      const id = idOf(instanceID, 'parity-early');
      await budi.receipt(id, 'viewed');
      expect(await send(budi.number, { text: 'terlambat' }, 'parity-early')).toBe(id);
      await reached(world, id, 'viewed');
      await world.settled(budi);
      expect(world.statuses(id)).toEqual(['pending', 'viewed']);
    },
  },
  {
    name: 'a phone that is away gets the message when it is back',
    run: async (world) => {
      const { budi, send, shown } = world;
      await budi.offline(true);
      const id = await send(budi.number, { text: 'nanti saja' });
      await reached(world, id, 'sent');
      expect(world.statuses(id)).toEqual(['pending', 'sent']);
      await budi.offline(false);
      expect((await shown(budi, id)).content).toEqual({ kind: 'text', text: 'nanti saja' });
      await reached(world, id, 'delivered');
    },
  },
];

const failures: ParityCase[] = [
  {
    name: 'a refused send is told as pending once more, with its failure',
    run: async (world) => {
      const { budi, driver, events, reports, send, statuses, until } = world;
      await driver.faults({ refuse: true });
      const id = await send(budi.number, { text: 'ditolak' }, 'parity-refused');
      await until(
        () => statuses(id),
        (told) => told.includes('failed'),
      );
      await driver.faults({ refuse: false });
      expect(statuses(id)).toEqual(['pending', 'failed']);
      const failed = { code: expect.stringMatching(/^WA_\d+$/) as string, retryable: false };
      expect(reports(id)).toEqual([{ pesan_id: 'parity-refused' }, { pesan_id: 'parity-refused', failed }]);
      const told = () => events('messageFailed').filter((event) => event.id === id);
      await until(told, ({ length }) => length > 0);
      expect(told()).toEqual([
        { instanceID: 'parity', number: `${budi.number}@s.whatsapp.net`, id, pesan_id: 'parity-refused', ...failed },
      ]);
    },
  },
  {
    name: 'what the network delivers twice is told once',
    run: async ({ budi, count, driver, heard, settled }) => {
      await driver.faults({ duplicate: true });
      const id = await budi.send({ kind: 'text', text: 'dua kali' });
      expect(await heard(id)).toEqual({ fields: messageOf(budi, { id, text: 'dua kali', type: 'chat' }) });
      await driver.faults({ duplicate: false });
      await settled();
      expect(count(id)).toBe(1);
    },
  },
  {
    name: 'a number that WhatsApp does not know is refused',
    needs: ['exists'],
    run: async ({ client, instanceID }) => {
      const data = { instanceID, number: '628999999999', text: 'halo' };
      expect(await client.post('/api/send-message', { pesan_id: 'parity-nobody', role: 'agent', data })).toEqual({
        status: 422,
        body: {
          success: false,
          message: 'number not registered',
          error: {
            code: 'VALIDATION',
            retryable: false,
            errors: [{ field: 'number', tag: 'not_registered', message: 'number not registered' }],
          },
        },
      });
    },
  },
];

/** How far our messages get, and what happens when they do not. */
export const statusCases: readonly ParityCase[] = [...ladders, ...failures];
