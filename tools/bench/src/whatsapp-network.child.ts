// The WhatsApp sandbox and the customers' phones, in a separate process, so that their CPU time is not measured.
import { startWhatsAppSandbox, type CustomerPhone, type WhatsAppSandbox } from '@platform/sandbox-whatsapp';
import { answerCalls } from './remote';
import { loadModule } from './workspace';

interface Door {
  readonly url: string;
  readonly size: number;
  open(target: string): void;
}

let sandbox: WhatsAppSandbox | undefined;
let door: Door | undefined;
let mostConnecting = 0;
let entered = 0;
const phones: CustomerPhone[] = [];

const running = (): WhatsAppSandbox => {
  if (!sandbox) throw new Error('start the sandbox first');
  return sandbox;
};

const methods = {
  /** `fewKeys`: clients have keys on the server already, like those that were linked long ago. */
  start: async (customers: number, fewKeys = false) => {
    sandbox = await startWhatsAppSandbox({ fewKeys });
    for (let n = 0; n < customers; n++) phones.push(await sandbox.phone(`62812345${String(n).padStart(4, '0')}`));
    const { socketUrl, rootKey } = sandbox;
    return { socketUrl, rootKey, customers: phones.map(({ jid }) => jid) };
  },
  /** A device that never paired, by its noise key in hex. */
  link: (number: string, noiseKey: string) => running().link(number, Buffer.from(noiseKey, 'hex')),
  /** Somebody who can be written to, and never answers. */
  account: (number: string) => running().account(number),
  logins: () => running().state().counters.logins ?? 0,
  /** An address that accepts connections and sends nothing until `speak`. */
  silence: async () => {
    const { SilentDoor } = loadModule<{ SilentDoor: { start(entered: () => void): Promise<Door> } }>(
      'apps/wa-gateway/src/features/devices/silent-door.fixture.ts',
    );
    door = await SilentDoor.start(() => {
      entered += 1;
      mostConnecting = Math.max(mostConnecting, (door?.size ?? 0) - methods.online());
    });
    return door.url;
  },
  speak: () => door?.open(running().socketUrl),
  mostConnecting: () => mostConnecting,
  /** How often somebody came to that address. */
  entered: () => entered,
  scan: (qr: string, number: string) => running().scan(qr, { number, name: 'Toko' }),
  /** Every customer writes an equal share, one message at a time. */
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
  online: (): number =>
    running()
      .state()
      .accounts.filter(({ online }) => online).length - phones.length,
};

export type NetworkMethods = typeof methods;
answerCalls(methods);
