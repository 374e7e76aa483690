import { uuidv7 } from '@platform/runtime';
import { OWNER_ID } from '../../clients/store-auth.fake';
import { startFakeGateway } from '../../clients/wa.gateway.fake';
import { pictureForm } from '../../walk.fixture';
import { startChatWorld } from '../tickets/tickets.fixture';
import type { Conversation } from './conversations/conversations.dto';

const DEVICE = `INSERT INTO device (store_id, id, instance_id, name, number, chat_team_id, created_at, updated_at)
  VALUES ($1, gen_random_uuid(), $2, 'WA', '6281100000001', '3', now(), now()) RETURNING id`;
const TEAM = `INSERT INTO chat_team (store_id, id, name, kind, private, distribution, created_at, updated_at)
  VALUES ($1, $2, 'CS', 'cs', true, 'manual', now(), now())`;

/** chat-backend itself, a gateway, and stores that all of them know; `more` are settings. */
export const startInboxWorld = async (more: Readonly<Record<string, string>> = {}) => {
  const gateway = await startFakeGateway();
  const world = await startChatWorld({ WA_GATEWAY_URL: gateway.url, ...more });
  const { commerce } = world;
  const store = async () => {
    const shop = await world.store();
    const { storeId, instance } = shop;
    await commerce.database.query(TEAM, [storeId, '3']);
    const [device] = await commerce.database.query<{ id: string }>(DEVICE, [storeId, instance]);
    /** The conversation that a customer's message has made. */
    const written = async (nohp: string, text: string): Promise<Conversation> => {
      await shop.writes(nohp, text);
      const { body } = await shop.ask<Conversation[]>('GET', '/livechat/conversations', undefined);
      const found = body.data.find(({ contact }) => contact.phone === nohp);
      if (!found) throw new Error(`nobody sees the chat of ${nohp}`);
      return found;
    };
    const uploaded = async (form: FormData): Promise<string> =>
      (await shop.ask<{ id: string }>('POST', '/upload', form)).body.data.id;
    /** A picture of the store, to be sent. */
    const picture = () => uploaded(pictureForm('file', 'topi.jpg', { purpose: 'message' }));
    /** A file of the store, to be sent, that begins with these bytes. */
    const upload = (head: string, name: string): Promise<string> => {
      const form = new FormData();
      form.append('purpose', 'message');
      form.append('file', new Blob([Buffer.from(head, 'hex'), Buffer.alloc(2_000)]), name);
      return uploaded(form);
    };
    /** The calls of somebody who has a login in the store, and is no member of it any more. */
    const stranger = () => shop.askWith(commerce.storeAuth.userToken({ sub: uuidv7(), store_id: storeId }));
    /** Of the rows at chat-backend; $1 is the store. */
    const there = (statement: string, ...values: unknown[]) =>
      world.chat.database.query(statement, [storeId, ...values]);
    return { ...shop, deviceId: device?.id ?? '', written, picture, upload, stranger, there, ownerId: OWNER_ID };
  };
  return {
    ...{ ...world, store, gateway },
    stop: async () => {
      await world.stop();
      await gateway.stop();
    },
  };
};
