// Home names the customers who wait, before anything else.
import { useRunning } from '@platform/testing';
import type { Caller } from '../../../abilities';
import { startInboxWorld } from '../inbox.fixture';
import { agentIn, begunIn } from './desk.fixture';
import type { InboxDesk } from './inbox.desk';
import { waitingChats } from './waiting';

const world = useRunning(startInboxWorld);
const FINE = 'Semua beres. Tidak ada yang menunggu Anda.';
const WAITS = /Pelanggan menunggu balasan<\/b><span class="task-count">1</;

it('home names a customer who waits until somebody has answered, and does not say that nothing waits while nobody knows', async () => {
  const { shop, rina, reply } = await begunIn(world);
  const boss = await agentIn(world, shop);
  const home = async () => (await rina.browser.get('/dashboard')).text;
  const before = await home();
  expect([WAITS.test(before), before.includes(FINE)]).toEqual([true, false]);
  await reply('Ada, Kak', rina);
  const after = await home();
  expect([after.includes('Pelanggan menunggu balasan'), after.includes(FINE)]).toEqual([false, true]);
  await world.chat.kill();
  const away = (await boss.browser.get('/dashboard')).text;
  expect([away.includes(FINE), away.includes('Perlu tindakan sekarang')]).toEqual([false, true]);
});

it('what a bot has answered, and who wrote to a number that was removed, waits for nobody; what it has not, or asks help for, does', async () => {
  const row = { asksHelp: false, status: 'open', device_id: 'with-bot', last_message: { from_me: true } };
  const rows = [
    row,
    { ...row, asksHelp: true },
    { ...row, last_message: { from_me: false } },
    { ...row, device_id: 'without' },
    { ...row, status: 'handle' },
    { ...row, device_id: null, last_message: { from_me: false } },
  ];
  const desk = { rows: () => Promise.resolve({ rows, next: null, isFull: true }) } as unknown as InboxDesk;
  const database = { prepared: () => Promise.resolve([{ id: 'with-bot' }]) } as never;
  expect(await waitingChats(database, desk)({ storeId: 'S1' } as Caller)).toEqual({ count: 4, isMore: true });
});
