// The sandbox of WhatsApp and the customers' phones, in a process of its own: their work is not that of what is measured.
import { startWhatsAppSandbox, type CustomerPhone, type WhatsAppSandbox } from '@platform/sandbox-whatsapp';
import { answerCalls } from './remote';

let sandbox: WhatsAppSandbox | undefined;
const phones: CustomerPhone[] = [];

const running = (): WhatsAppSandbox => {
  if (!sandbox) throw new Error('start the sandbox first');
  return sandbox;
};

const methods = {
  start: async (customers: number) => {
    sandbox = await startWhatsAppSandbox();
    for (let n = 0; n < customers; n++) phones.push(await sandbox.phone(`62812345${String(n).padStart(4, '0')}`));
    const { socketUrl, rootKey } = sandbox;
    return { socketUrl, rootKey, customers: phones.map(({ jid }) => jid) };
  },
  scan: (qr: string, number: string) => running().scan(qr, { number, name: 'Toko' }),
  /** Every customer writes its share, one after the other. */
  write: async (number: string, count: number) => {
    const share = Math.ceil(count / phones.length);
    await Promise.all(
      phones.map(async (phone) => {
        for (let n = 0; n < share; n++) await phone.sendText(number, `pesan ${n}`);
      }),
    );
    return share * phones.length;
  },
  received: () => phones.reduce((sum, phone) => sum + phone.received.length, 0),
  held: () => running().state().held.length,
  online: () =>
    running()
      .state()
      .accounts.filter(({ online }) => online).length - phones.length,
};

export type NetworkMethods = typeof methods;
answerCalls(methods);
