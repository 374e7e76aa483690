// commerce-api twice, chat-backend, wa-gateway and bot-engine as processes: what is saved here decides what the next customer is answered.
import { until, useRunning } from '@platform/testing';
import { newPhone, startAutomationWorld, type Shown } from './automation.fixture';
import { matchTexts, tableRules, type Line } from './match-texts.fixture';
import type { Rule } from './rules/rules.dto';

const world = useRunning(startAutomationWorld);
type Shop = Awaited<ReturnType<typeof world.store>>;

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const text = (words: string): Shown => ({ kind: 'text', text: words });

/** What a customer is answered who writes this now, and nobody has written before. */
const answered = async (to: string, words: string): Promise<Shown[]> => {
  const phone = newPhone();
  await world.says(phone, to, words);
  return until(
    () => world.sees(phone),
    ({ length }) => length > 0,
  );
};

it('a rule decides the next message when it is made, changed, switched off and on, put behind another and deleted, whichever process was asked', async () => {
  const shop = await world.store();
  const { storeId, saved, ask, elsewhere } = shop;
  const { instance_id: to } = await shop.device();
  const rules = `SELECT json_agg(reply->>'text' ORDER BY position) AS value FROM rules WHERE store_id = $1 AND aktif`;
  const rule = (words: string) => ({ match: 'contains', keywords: ['ongkir'], reply: { text: words } });
  const last = await saved<Rule>('POST', '/chatbot', rule('Tidak tahu'));
  const first = await saved<Rule>('POST', '/chatbot', rule('Gratis'), elsewhere);
  const change = async (copied: string[] | null, ...[method, path, body, through]: Parameters<typeof saved>) => {
    await saved(method, path, body, through);
    await world.copied(rules, [storeId], copied);
    return copied && answered(to, 'berapa ongkir?');
  };
  const at = `/chatbot/${first.id}`;
  expect([
    await change(['Gratis', 'Tidak tahu'], 'PUT', '/chatbot/order', { ids: [first.id] }, ask),
    await change(['Rp 9.000', 'Tidak tahu'], 'PUT', at, rule('Rp 9.000'), elsewhere),
    await change(['Tidak tahu'], 'PUT', at, { ...rule('Rp 9.000'), active: false }, ask),
    await change(['Rp 8.000', 'Tidak tahu'], 'PUT', at, { ...rule('Rp 8.000'), active: true }, elsewhere),
    await change(['Tidak tahu', 'Rp 8.000'], 'PUT', '/chatbot/order', { ids: [last.id] }, elsewhere),
    await change(['Rp 8.000'], 'DELETE', `/chatbot/${last.id}`, undefined, ask),
  ]).toEqual(['Gratis', 'Rp 9.000', 'Tidak tahu', 'Rp 8.000', 'Tidak tahu', 'Rp 8.000'].map((words) => [text(words)]));
  await change(null, 'DELETE', at, undefined, elsewhere);
  const phone = newPhone();
  await world.says(phone, to, 'berapa ongkir?');
  expect([await world.decided(storeId, 7), await world.sees(phone)]).toEqual([6, []]);
});

it('a welcome text, the chat team of a device and its agent decide the next message, one after the other', async () => {
  const shop = await world.store();
  const { storeId, saved, ask, elsewhere } = shop;
  const { id, instance_id: to } = await shop.device();
  const welcome = 'SELECT CASE WHEN enabled THEN text END AS value FROM welcomes WHERE store_id = $1';
  await saved('PUT', '/botwelcome', { enabled: true, text: 'Selamat datang' }, elsewhere);
  await world.copied(welcome, [storeId], 'Selamat datang');
  expect(await answered(to, 'halo')).toEqual([text('Selamat datang')]);
  await saved('PUT', '/botwelcome', { text: 'Hai' }, ask);
  await world.copied(welcome, [storeId], 'Hai');
  expect(await answered(to, 'halo')).toEqual([text('Hai')]);
  await saved('PUT', '/botwelcome', { enabled: false }, elsewhere);
  await world.copied(welcome, [storeId], null);

  const vip = await saved<{ id: string }>('POST', '/team_chat', { name: 'VIP' }, elsewhere);
  await saved('PUT', `/device/${id}`, { chat_team_id: vip.id }, ask);
  await world.copied('SELECT default_team_id AS value FROM devices WHERE store_id = $1', [storeId], vip.id);
  const phone = newPhone();
  await world.says(phone, to, 'halo');
  const team = 'SELECT team_id AS value FROM conversations WHERE store_id = $1 AND nohp = $2';
  await world.copied(team, [storeId, phone], vip.id);
  await world.decided(storeId, 3);
  expect(await world.sees(phone)).toEqual([]);

  const agent = async (name: string, from: string) =>
    (await saved<{ id: string }>('POST', '/agent', { name, prompt: `Kopi kami berasal dari ${from}.` })).id;
  const assigned = 'SELECT bot_agent_id AS value FROM devices WHERE store_id = $1';
  for (const [name, from, through] of [
    ['Ani', 'Toraja', elsewhere],
    ['Budi', 'Gayo', ask],
  ] as const) {
    const bot_agent_id = await agent(name, from);
    await saved('PUT', `/device/${id}`, { bot_agent_id }, through);
    await world.copied(assigned, [storeId], bot_agent_id);
    await answered(to, 'kopi berasal dari mana?');
    expect(world.asked()).toContain(`Kopi kami berasal dari ${from}.`);
  }
});

it('a quick reply and the template of an event are what chat-backend sends from the next message on', async () => {
  const shop = await world.store();
  const { storeId, saved, elsewhere } = shop;
  const { instance_id: instance } = await shop.device();
  const copy = 'SELECT isi AS value FROM templates WHERE store_id = $1 AND id = $2 AND aktif';
  const token = world.commerce.storeAuth.serviceToken('commerce-api', storeId, 'chat-backend');
  const sent = async (template_id: string): Promise<Shown[]> => {
    const nohp = newPhone();
    await world.exists(nohp);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ nohp, instance, team: shop.team, template_id });
    await fetch(`${world.chat.url}/v1/send_express`, { method: 'POST', headers, body });
    return until(
      () => world.sees(nohp),
      ({ length }) => length > 0,
    );
  };
  const quick = await saved<{ id: string }>('POST', '/response-template', { shortcut: 'salam', body: 'Halo' });
  const template = await saved<{ id: string }>('POST', '/template-message', { event: 'order_paid', body: 'Lunas' });
  await world.copied(copy, [storeId, quick.id], 'Halo');
  await world.copied(copy, [storeId, template.id], 'Lunas');
  expect([await sent(quick.id), await sent(template.id)]).toEqual([[text('Halo')], [text('Lunas')]]);
  await saved('PUT', `/response-template/${quick.id}`, { shortcut: 'salam', body: 'Hai' }, elsewhere);
  await saved('PUT', `/template-message/${template.id}`, { body: 'Terima kasih' }, elsewhere);
  await world.copied(copy, [storeId, quick.id], 'Hai');
  await world.copied(copy, [storeId, template.id], 'Terima kasih');
  expect([await sent(quick.id), await sent(template.id)]).toEqual([[text('Hai')], [text('Terima kasih')]]);
});

/** All rules of the table are the store's, and chat-backend's. */
const withTable = async ({ storeId, ask, saved }: Shop, branch: string): Promise<void> => {
  const form = new FormData();
  form.set('purpose', 'message');
  form.set('file', new Blob([PNG], { type: 'image/png' }), 'katalog.png');
  const { id: media_id } = (await ask<{ id: string }>('POST', '/upload', form)).body.data;
  const made: string[] = [];
  for (const { name, match, keywords, only, active = true, picture, gone } of tableRules) {
    const reply = picture ? { text: name, media_id } : { text: name };
    const body = { match, keywords, reply, active, device_ids: only ? [branch] : [] };
    const { id } = await saved<Rule>('POST', '/chatbot', body);
    if (gone) made.push(id);
  }
  for (const id of made) await saved('DELETE', `/chatbot/${id}`);
  const count = 'SELECT count(*)::int AS value FROM rules WHERE store_id = $1';
  await world.copied(count, [storeId], tableRules.length - made.length);
};

/** No phone writes them; a gateway may tell them all the same. */
const isUnwritable = (words: string): boolean => words.includes('\0') || words.trim() === '';

it(`/chatbot/match and the message path agree on ${matchTexts.length} texts`, async () => {
  const shop = await world.store();
  const { storeId, ask } = shop;
  const devices: Readonly<Record<Line, { id: string; instance_id: string }>> = {
    main: await shop.device(),
    branch: await shop.device(),
  };
  await withTable(shop, devices.branch.id);
  const expected: unknown[] = [];
  const tried: unknown[] = [];
  const phones: string[] = [];
  for (const [words, rule, line = 'main'] of matchTexts) {
    const { id: device_id, instance_id } = devices[line];
    const [phone, short] = [newPhone(), `${line}: ${words.slice(0, 40)}`];
    phones.push(phone);
    expected.push([short, rule]);
    const { status, body } = await ask<{ rule: Rule | null }>('POST', '/chatbot/match', { text: words, device_id });
    tried.push([short, status === 200 ? (body.data.rule?.reply.text ?? null) : status]);
    await (isUnwritable(words) ? world.told(phone, instance_id, words) : world.says(phone, instance_id, words));
  }
  await world.decided(storeId, matchTexts.length);
  const shown = await Promise.all(phones.map((phone) => world.sees(phone)));
  const wordsOf = (messages: Shown[]) => messages.map(({ kind, text: said, caption }) => said ?? `${kind} ${caption}`);
  const pictures = new Set(tableRules.flatMap(({ name, picture }) => (picture ? [name] : [])));
  const replies = matchTexts.map(([, rule]) => (rule === null ? [] : [pictures.has(rule) ? `image ${rule}` : rule]));
  expect(tried).toEqual(expected);
  expect(shown.map((messages, at) => [expected[at], wordsOf(messages)])).toEqual(
    replies.map((reply, at) => [expected[at], reply]),
  );
});
