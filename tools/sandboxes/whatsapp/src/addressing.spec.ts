/** @jest-environment ../../jest/native-import.environment.cjs */
import { startWhatsAppSandbox } from './sandbox';
import type { CustomerPhone, MessageRef, PhoneMessage, WhatsAppSandbox } from './sandbox.types';

let sandbox: WhatsAppSandbox;
let shop: CustomerPhone;

beforeAll(async () => {
  sandbox = await startWhatsAppSandbox();
  shop = await sandbox.phone('628130000001', { name: 'Toko' });
});
afterAll(() => sandbox.stop());

const arrived = (phone: CustomerPhone, { id }: MessageRef): Promise<PhoneMessage> =>
  phone.waitFor((message) => message.id === id && message.content !== undefined);

describe('customers with a LID address', () => {
  it.each(['lid', 'hidden'] as const)(
    'a %s customer writes from their LID, and the answer to it arrives',
    async (addressing) => {
      const number = addressing === 'lid' ? '628130000002' : '628130000003';
      const customer = await sandbox.phone(number, { addressing });
      const sent = await customer.sendText(shop.number, 'halo');
      const got = await arrived(shop, sent);
      expect(got.chat).toBe(customer.lid);
      const answer = await shop.sendText(got.chat, 'ya');
      await arrived(customer, answer);
      await shop.waitForReceipt(({ id, type }) => id === answer.id && type === 'delivered');
      await shop.markRead(got);
      await customer.waitForReceipt(({ id, type }) => id === sent.id && type === 'read');
      await customer.stop();
    },
  );

  it('a group with such a customer uses LID addresses for all members', async () => {
    const hidden = await sandbox.phone('628130000004', { addressing: 'hidden', name: 'Rahasia' });
    const group = await shop.createGroup('LID', [hidden.number]);
    const sent = await hidden.sendText(group, 'dari LID');
    expect(await arrived(shop, sent)).toMatchObject({ chat: group, participant: hidden.lid, name: 'Rahasia' });
    const answer = await shop.sendText(group, 'dari toko');
    expect(await arrived(hidden, answer)).toMatchObject({ chat: group, participant: shop.lid });
    await shop.waitForReceipt(
      ({ id, participant }) => id === answer.id && participant?.replace(/:\d+/, '') === hidden.lid,
    );
    await hidden.stop();
  });
});
