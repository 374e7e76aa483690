import { Rejected } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import type { ChatMessages } from './chat.messages';

/** What this service relies on at chat-backend. `storeId` is a store with a chat, `phone` a number that may be written to. */
export const chatMessagesContract = (
  subjectOf: () => { readonly client: ChatMessages; readonly storeId: string; readonly phone: string },
): void => {
  it('chat-backend sends to a number that it has never heard of, and takes the same id again', async () => {
    const { client, storeId, phone } = subjectOf();
    const message = { storeId, phone, text: 'Keranjang Anda masih kami simpan', id: uuidv7() };
    await client.send(message);
    await client.send(message);
  });

  it('chat-backend sends a document with its name and caption', async () => {
    const { client, storeId, phone } = subjectOf();
    const document = { filename: 'INV-1.pdf', mimetype: 'application/pdf', bytes: Buffer.from('%PDF-1.3\n%%EOF') };
    await client.send({ storeId, phone, text: 'Faktur Anda', id: uuidv7(), document });
  });

  it('chat-backend refuses for good what it will never send', async () => {
    const { client, storeId, phone } = subjectOf();
    const endless = { storeId, phone, text: 'x'.repeat(5_000), id: uuidv7() };
    await expect(client.send(endless)).rejects.toBeInstanceOf(Rejected);
  });
};
