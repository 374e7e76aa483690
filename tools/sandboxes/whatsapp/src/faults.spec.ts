/** @jest-environment ../../jest/native-import.environment.cjs */
import { plainClient, pairedAuth, until } from './client.fixture';
import { noFaults } from './fault.book';
import { startWhatsAppSandbox } from './sandbox';
import type { CustomerPhone, MessageRef, WhatsAppSandbox } from './sandbox.types';

let sandbox: WhatsAppSandbox;
let ani: CustomerPhone;
let budi: CustomerPhone;

beforeAll(async () => {
  sandbox = await startWhatsAppSandbox({ fewKeys: true });
  ani = await sandbox.phone('628160000001');
  budi = await sandbox.phone('628160000002');
});
afterEach(() => {
  sandbox.faults(noFaults, ani.number);
  sandbox.faults(noFaults, budi.number);
});
afterAll(() => sandbox.stop());

const outcome = ({ id }: MessageRef, type: string): Promise<unknown> =>
  ani.waitForReceipt((receipt) => receipt.id === id && receipt.type === type);
const seen = ({ id }: MessageRef): number => budi.received.filter((message) => message.id === id).length;
/** Waits until everything sent so far has been handled: messages pass in order. */
const settled = async (): Promise<void> => {
  const { id } = await ani.sendText(budi.number, 'penutup');
  await budi.waitFor((message) => message.id === id);
};

describe('faults of the WhatsApp sandbox', () => {
  it('nack: a message is refused and not delivered', async () => {
    sandbox.faults({ nack: '463' }, ani.number);
    const sent = await ani.sendText(budi.number, 'tidak sampai');
    await outcome(sent, 'failed');
    sandbox.faults({ nack: null }, ani.number);
    await settled();
    expect(seen(sent)).toBe(0);
  });

  it('dropAck: a message is delivered but never acknowledged', async () => {
    sandbox.faults({ dropAck: true }, ani.number);
    const sent = await ani.sendText(budi.number, 'diam');
    await outcome(sent, 'delivered');
    expect(ani.receipts.filter(({ id }) => id === sent.id).map(({ type }) => type)).toEqual(['delivered']);
  });

  it('dup: a message arrives twice', async () => {
    const node: string[] = [];
    const auth = await pairedAuth(sandbox, { number: '628160000003' });
    const client = await plainClient(sandbox, auth);
    client.socket.ws.on('CB:message', ({ attrs }) => node.push(attrs.id));
    await client.open;
    sandbox.faults({ dup: true }, '628160000003');
    const { id } = await ani.sendText('628160000003', 'dua kali');
    await until(() => node.length > 1);
    await outcome({ id, chat: '', fromMe: true }, 'delivered');
    expect(node).toEqual([id, id]);
    await client.end();
  });

  it('hold: a message waits for the end of the fault, without a new login', async () => {
    sandbox.faults({ hold: true }, budi.number);
    const sent = await ani.sendText(budi.number, 'nanti');
    await outcome(sent, 'sent');
    expect(sandbox.state().held).toEqual([{ number: budi.number, id: sent.id }]);
    expect(seen(sent)).toBe(0);
    sandbox.faults({ hold: false }, budi.number);
    await outcome(sent, 'delivered');
    expect(seen(sent)).toBe(1);
  });

  it('delayMs: messages arrive later, in order', async () => {
    sandbox.faults({ delayMs: 60 }, budi.number);
    const start = Date.now();
    const all = [await ani.sendText(budi.number, 'x'), await ani.sendText(budi.number, 'y')];
    await outcome(all[1] as MessageRef, 'delivered');
    expect(Date.now() - start).toBeGreaterThanOrEqual(60);
    const ids = all.map(({ id }) => id);
    expect(budi.received.filter(({ id }) => ids.includes(id)).map(({ text }) => text)).toEqual(['x', 'y']);
  });

  it("silent: a client's messages are received but neither answered nor delivered", async () => {
    sandbox.faults({ silent: true }, budi.number);
    const sent = await ani.sendText(budi.number, 'hampa');
    await until(() => sandbox.heard(budi.number, 'receipt').some(({ attrs }) => attrs.id === sent.id));
    expect(sandbox.state().held).toEqual([{ number: budi.number, id: sent.id }]);
    expect(ani.receipts.filter(({ id, type }) => id === sent.id && type === 'delivered')).toEqual([]);
  });

  it.each([
    [false, 1],
    [true, 0],
  ])('nackReleases %s: what a client refuses (487, it had it before) is held by %i', async (nackReleases, held) => {
    const [{ id } = { id: '' }] = sandbox.state().held;
    const refusals = (): number =>
      sandbox.heard(budi.number, 'ack').filter(({ attrs }) => attrs.id === id && attrs.error === '487').length;
    const before = refusals();
    sandbox.faults({ nackReleases }, budi.number);
    await budi.offline();
    await budi.online();
    await until(() => refusals() > before);
    expect(sandbox.state().held).toHaveLength(held);
  });

  it('a fault for all accounts affects each of them', async () => {
    sandbox.faults({ nack: '500' });
    await outcome(await ani.sendText(budi.number, 'semua'), 'failed');
    sandbox.faults(noFaults);
  });

  it('a message without a receipt is redelivered at the next login, marked offline', async () => {
    const auth = await pairedAuth(sandbox, { number: '628160000004' });
    const first = await plainClient(sandbox, auth);
    await first.open;
    first.socket.ws.prependListener('CB:message', () => void first.end());
    const { id } = await ani.sendText('628160000004', 'jangan hilang');
    await first.closed;
    const second = await plainClient(sandbox, auth);
    expect((await second.stanza('CB:message')).attrs).toMatchObject({ id, offline: '1' });
    await second.open;
    await second.end();
  });
});
