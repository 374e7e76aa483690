import { startChat, type Chat } from '../../chat.fixture';
import { seed, type DemoShop } from './seed.command';

const SHOP: DemoShop = {
  store: { store_id: 'DEMO', nama: 'Toko Nusa', tz: 'Asia/Jakarta' },
  team: { id: '3', nama: 'CS' },
  instance: 'demo1',
  device: { nama: 'Toko Nusa WA', nohp: '628110000001' },
  owner: { user_id: 'u-owner', nama: 'Nusa', email: 'owner@shop.example' },
  agents: [{ user_id: 'u-agent', nama: 'Rina', email: 'rina@shop.example', teams: ['3'] }],
};

let chat: Chat;
beforeAll(async () => {
  chat = await startChat();
  // The connections are the test's
  const database = { ...chat.database, start: async () => undefined, stop: async () => undefined };
  for (let times = 0; times < 2; times++) await seed(database)([JSON.stringify(SHOP)]);
});
afterAll(() => chat.stop());

describe('the demo shop', () => {
  it('has supervisors, whom an agent asks for help without naming a team', async () => {
    const ref = { nohp: '628199000001', instance: 'demo1', team: '3' };
    await chat.inbound({ instanceID: 'demo1', number: `${ref.nohp}@s.whatsapp.net` });
    const agent = { token: chat.tokens.tokenFor({ sub: 'u-agent', store_id: 'DEMO' }) };
    expect(
      (await chat.post('/v1/chats/request-escalate', { ...ref, alasan: 'minta diskon' }, agent)).body,
    ).toMatchObject({ result: true, message: 'success request escalate', data: { status_escalate: 'requested' } });
    const owner = { token: chat.tokens.tokenFor({ sub: 'u-owner', store_id: 'DEMO', role: 'owner', teams: [] }) };
    expect((await chat.post('/v1/get_notif', {}, owner)).body).toMatchObject({
      data: [{ type: 'escalate_request', nohp: ref.nohp }],
    });
  });
});
