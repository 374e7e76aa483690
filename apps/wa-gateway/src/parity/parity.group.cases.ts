import { answers501, jid, sendMessage, type ParityCase, type ParityWorld } from './parity.world';

const create = ({ client, instanceID, budi, siti }: ParityWorld) =>
  client.post('/api/group/create', { instanceID, name: 'Pelanggan', participants: [`+${budi.number}`, siti.number] });

const newGroup = async (world: ParityWorld): Promise<string> =>
  (await world.client.data<{ group_id: string }>(create(world))).group_id;

const info = ({ client, instanceID }: ParityWorld, id: string) =>
  client.get(`/api/group/info?instanceID=${instanceID}&group_id=${id}`);

const change = ({ client, instanceID }: ParityWorld, group_id: string, action: string, participants: string[]) =>
  client.post('/api/group/participants', { instanceID, group_id, action, participants });

/** Not every network knows how its people call themselves before they write. */
const nullOrText = { asymmetricMatch: (name: unknown) => name === null || typeof name === 'string' };

const member = (number: string, admin: string | null) => ({ number, name: nullOrText, admin });

const administration: ParityCase[] = [
  {
    name: 'a group is made, and tells who is in it',
    needs: ['groups'],
    otherwise: answers501(create),
    run: async (world) => {
      const answer = await create(world);
      const id = (answer.body as { data: { group_id: string } }).data.group_id;
      expect(id).toMatch(/^120363\d{12}@g\.us$/);
      const people = [world.budi, world.siti].map((phone) => ({ number: jid(phone), status: 200 }));
      expect(answer).toEqual({
        status: 200,
        body: {
          success: true,
          message: 'group created',
          data: { group_id: id, name: 'Pelanggan', participants: people },
        },
      });
      expect(await info(world, id)).toEqual({
        status: 200,
        body: {
          success: true,
          message: 'group info',
          data: {
            group_id: id,
            name: 'Pelanggan',
            description: null,
            owner: '628110000001@s.whatsapp.net',
            created_at: expect.any(String) as string,
            size: 3,
            announce: false,
            participants: [
              member('628110000001@s.whatsapp.net', 'superadmin'),
              member(jid(world.budi), null),
              member(jid(world.siti), null),
            ],
          },
        },
      });
    },
  },
  {
    name: 'a group that the device is not in is not found',
    needs: ['groups'],
    otherwise: answers501((world) => info(world, '120363999999999999')),
    run: async (world) => {
      const missing = {
        status: 404,
        body: { success: false, message: 'group not found', error: { code: 'NOT_FOUND', retryable: false } },
      };
      expect(await info(world, '120363999999999999')).toEqual(missing);
      expect(await change(world, '120363999999999999', 'add', [world.budi.number])).toEqual(missing);
    },
  },
  {
    name: 'participants are promoted and removed, one that fails holds nobody up',
    needs: ['groups'],
    otherwise: answers501((world) => change(world, '120363999999999999', 'add', [world.budi.number])),
    run: async (world) => {
      const id = await newGroup(world);
      const nobody = '628121212121';
      const outcome = (number: string, status: number) => ({ number, status, message: expect.any(String) as string });
      await change(world, id, 'promote', [world.budi.number]);
      expect(await change(world, id, 'remove', [world.siti.number, nobody])).toEqual({
        status: 200,
        body: {
          success: true,
          message: 'group participants updated',
          data: {
            group_id: id,
            action: 'remove',
            results: [outcome(jid(world.siti), 200), outcome(`${nobody}@s.whatsapp.net`, 404)],
          },
        },
      });
      const { participants } = await world.client.data<{ participants: { number: string; admin: string | null }[] }>(
        info(world, id),
      );
      expect(participants.map(({ number, admin }) => [number, admin])).toEqual([
        ['628110000001@s.whatsapp.net', 'superadmin'],
        [jid(world.budi), 'admin'],
      ]);
    },
  },
];

const conversation: ParityCase[] = [
  {
    name: 'a message in a group names its writer',
    needs: ['groups'],
    run: async (world) => {
      const id = await newGroup(world);
      const message = await world.siti.send({ kind: 'text', text: 'halo semua' }, { group: id });
      expect(await world.heard(message)).toEqual({
        fields: {
          instanceID: 'parity',
          result: 'true',
          report: 'false',
          number: id,
          fromMe: 'false',
          id: message,
          name: 'Siti',
          participantname: 'Siti',
          text: 'halo semua',
          timestamp: '<time>',
          type: 'chat',
          rawMessage: {},
        },
      });
    },
  },
  {
    name: 'our message reaches everybody in the group; the first to see it counts',
    needs: ['groups', 'mentions'],
    otherwise: answers501(sendMessage(() => ({ number: '120363000000000001@g.us', text: 'halo' }))),
    run: async (world) => {
      const { budi, siti, send, shown, statuses, until } = world;
      const group = await newGroup(world);
      const content = { kind: 'text', text: `halo @${siti.number}` };
      const id = await send(group, { text: content.text, mentions: [siti.number] });
      for (const phone of [budi, siti])
        expect(await shown(phone, id)).toEqual({ id, content, group, mentions: [siti.number] });
      await budi.read();
      await until(
        () => statuses(id),
        (told) => told.includes('viewed'),
      );
      await siti.read();
      await world.settled(siti);
      expect(statuses(id)).toEqual(['pending', 'sent', 'delivered', 'viewed']);
    },
  },
];

/** Groups, and messages in them. */
export const groupCases: readonly ParityCase[] = [...administration, ...conversation];
