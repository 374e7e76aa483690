import { until, untilWaiting, useRunning } from '@platform/testing';
import { askOf, invalid, notHere, refused, succeeded } from '../../../asked.fixture';
import { newStore, startCommerce } from '../../../commerce.fixture';
import { startFakeAgents } from '../../../clients/bot.agents.fake';
import { startFakeChat } from '../../../clients/chat.sync.fake';
import { startFakeGateway } from '../../../clients/wa.gateway.fake';
import { fileForm } from '../../../whole-shop.fixture';
import { touch } from '../../chat/copies/public';
import type { Rule } from './rules.dto';

const gateway = useRunning(startFakeGateway);
const chat = useRunning(startFakeChat);
const bot = useRunning(startFakeAgents);
const urls = () => ({ CHAT_URL: chat.url, WA_GATEWAY_URL: gateway.url, BOT_URL: bot.url });
const commerce = useRunning(() => startCommerce(urls()));
/** One that nobody has told where the internet finds it. */
const hidden = useRunning(() => startCommerce({ ...urls(), PUBLIC_URL: '' }));
beforeEach(() => {
  bot.state.mood = 'answer';
  bot.agents.add('A1');
});
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

interface Made {
  readonly id: string;
  readonly url: string;
  readonly instance_id: string;
}

const shop = async () => {
  const storeId = await newStore(commerce);
  const ask = askOf(commerce)(storeId);
  const add = async (keyword: string, more: object = {}) => {
    const body = { match: 'exact', keywords: [keyword], reply: { text: keyword }, ...more };
    return (await ask<Rule>('POST', '/chatbot', body)).body.data;
  };
  const order = async () =>
    (await ask<Rule[]>('GET', '/chatbot?per_page=100')).body.data.map(({ keywords }) => keywords[0]);
  const fits = async (text: string, device_id?: string) =>
    (await ask<{ rule: Rule | null }>('POST', '/chatbot/match', { text, device_id })).body.data.rule?.keywords[0];
  const copyOf = (id: string) => chat.copies(storeId).find((row) => row.id === id);
  return { storeId, ask, add, order, fits, copyOf };
};

describe('keyword rules', () => {
  it('come in their order, which those that are named lead', async () => {
    const { ask, add, order, fits } = await shop();
    const [a, b, c] = [await add('a'), await add('a', { match: 'starts', keywords: ['b', 'a'] }), await add('c')];
    expect([await order(), await fits('a')]).toEqual([['a', 'b', 'c'], 'a']);
    const moved = await ask<Rule[]>('PUT', '/chatbot/order', { ids: [c?.id, b?.id] });
    expect(moved.body.data.map(({ id, position }) => [id, position])).toEqual(
      [c, b, a].map((rule, at) => [rule?.id, at]),
    );
    expect([await order(), await fits('a')]).toEqual([['c', 'b', 'a'], 'b']);
  });

  it('that are made and moved at once have a place each', async () => {
    const { ask, add } = await shop();
    const made = await Promise.all(Array.from({ length: 10 }, (_, n) => add(`k${n}`)));
    await Promise.all(made.map(({ id }) => ask('PUT', '/chatbot/order', { ids: [id] })));
    const { data } = (await ask<Rule[]>('GET', '/chatbot')).body;
    expect(data.map(({ position }) => position)).toEqual(Array.from({ length: 10 }, (_, n) => n));
  });

  it('answer with a file at an address that stays, which cannot be deleted before that', async () => {
    const { ask, add, copyOf } = await shop();
    const file = (await ask<Made>('POST', '/upload', fileForm('file', PNG, { purpose: 'message' }))).body.data;
    const rule = await add('katalog', { reply: { text: 'Ini', media_id: file.id } });
    const copy = await until(async () => copyOf(rule.id));
    expect(copy).toMatchObject({
      reply: { text: 'Ini', url: file.url, type: 'image' },
      keywords: ['katalog'],
      aktif: true,
    });
    expect((await ask('DELETE', `/upload/${file.id}`)).body.code).toBe('in_use');
    await ask('DELETE', `/chatbot/${rule.id}`);
    await until(async () => copyOf(rule.id)?.deleted === true);
    expect((await ask('DELETE', `/upload/${file.id}`)).status).toBe(200);
  });

  it('for one device answer on it alone, and on none when it is gone', async () => {
    const { ask, add, fits, copyOf } = await shop();
    const device = (await ask<Made>('POST', '/device', { name: 'WA' })).body.data;
    const rule = await add('halo', { device_ids: [device.id] });
    expect([await fits('halo'), await fits('HALO', device.id)]).toEqual([undefined, 'halo']);
    const copy = await until(async () => copyOf(rule.id));
    expect(copy).toMatchObject({ instances: [device.instance_id], aktif: true });
    await ask('DELETE', `/device/${device.id}`);
    const off = await until(
      async () => copyOf(rule.id),
      (row) => row?.aktif === false,
    );
    expect([off?.instances, await fits('halo')]).toEqual([[], undefined]);
  });

  it('for one device wait for whoever removes it before they take the turn of the rules', async () => {
    const { ask, storeId } = await shop();
    const { id } = (await ask<Made>('POST', '/device', { name: 'WA' })).body.data;
    const body = { match: 'exact', keywords: ['halo'], reply: { text: 'Hai' }, device_ids: [id] };
    const { made } = await commerce.database.tx(async (tx) => {
      await tx.query('SELECT FROM device WHERE id = $1 FOR UPDATE', [id]);
      const making = ask('POST', '/chatbot', body);
      await untilWaiting(tx, making);
      const turn = `SELECT pg_try_advisory_xact_lock(hashtextextended('rules ' || $1, 0)) AS mine`;
      expect(await tx.query(turn, [storeId])).toEqual([{ mine: true }]);
      return { made: making };
    });
    expect((await made).status).toBe(201);
  });

  it('are tried with whatever a customer can write, also nothing and the longest message', async () => {
    const { add, fits } = await shop();
    await add('ongkir', { match: 'contains' });
    const texts = ['', ' \u3000\n', '\0', 'ong\0kir', `${'x'.repeat(65_529)} ongkir`];
    const found = await Promise.all(texts.map((text) => fits(text)));
    expect(found).toEqual([undefined, undefined, undefined, 'ongkir', 'ongkir']);
  });

  it('say something, to keywords that can be said, with files and on devices of the store', async () => {
    const { ask, add } = await shop();
    const post = (more: object) =>
      ask('POST', '/chatbot', { match: 'exact', keywords: ['a'], reply: { text: 'b' }, ...more });
    const nobodys = '0199f7a0-0000-7000-8000-0000000000ff';
    expect([
      await post({ keywords: ['a', ' \u3000'] }),
      await post({ reply: {} }),
      await post({ match: 'regex' }),
      await post({ reply: { media_id: nobodys } }),
      await post({ device_ids: [nobodys] }),
      await ask('PUT', '/chatbot/order', { ids: [(await add('x')).id, nobodys] }),
      await ask('POST', '/chatbot/match', { text: 'a', device_id: nobodys }),
    ]).toEqual([
      invalid('keywords.1', 'keywords[1] must hold more than spaces'),
      invalid('reply.text', 'reply.text is a required field'),
      invalid('match', 'match must be one of [exact starts contains]'),
      notHere('reply.media_id', 'is not a public file of this store'),
      notHere('device_ids[0]', 'is not a device of this store'),
      notHere('ids[1]', 'is not a rule of this store'),
      notHere('device_id', 'is not a device of this store'),
    ]);
  });
});

it('without the setting PUBLIC_URL neither a rule nor a quick reply takes a file, whose address nobody could open', async () => {
  const ask = askOf(hidden)(await newStore(hidden));
  const { id: media_id } = (await ask<Made>('POST', '/upload', fileForm('file', PNG, { purpose: 'message' }))).body
    .data;
  const needs = (field: string) =>
    invalid(field, `${field} needs the setting PUBLIC_URL: chats show files by their full address`);
  expect([
    await ask('POST', '/chatbot', { match: 'exact', keywords: ['a'], reply: { media_id } }),
    await ask('POST', '/response-template', { shortcut: 'a', body: 'b', media_id }),
    (await ask('DELETE', `/upload/${media_id}`)).status,
  ]).toEqual([needs('reply.media_id'), needs('media_id'), 200]);
});

describe('quick replies', () => {
  it('have a shortcut each in a store, whatever the case of its letters, and are templates at chat-backend', async () => {
    const { ask, copyOf } = await shop();
    const made = (await ask<Made>('POST', '/response-template', { shortcut: 'Salam', body: 'Halo Kak' })).body.data;
    const taken = refused(409, 'shortcut_taken', 'The shortcut is taken');
    expect(await ask('POST', '/response-template', { shortcut: 'SALAM', body: 'x' })).toEqual(taken);
    const other = (await ask<Made>('POST', '/response-template', { shortcut: 'b', body: 'x' })).body.data;
    expect(await ask('PUT', `/response-template/${other.id}`, { shortcut: 'salam', body: 'x' })).toEqual(taken);
    const template = await until(async () => copyOf(made.id));
    expect(template).toMatchObject({ nama: 'Salam', type: 'chat', isi: 'Halo Kak', aktif: true });
    await ask('DELETE', `/response-template/${made.id}`);
    expect(await until(async () => copyOf(made.id)?.deleted)).toBe(true);
    expect((await ask('POST', '/response-template', { shortcut: 'salam', body: 'x' })).status).toBe(201);
  });
});

describe('the welcome text', () => {
  it('loses the name of an agent that goes before that locks what tells of its devices', async () => {
    const { ask, storeId } = await shop();
    const { id } = (await ask<Made>('POST', '/device', { name: 'WA' })).body.data;
    await ask('PUT', `/device/${id}`, { name: 'WA', bot_agent_id: 'A1' });
    await ask('PUT', '/botwelcome', { agent_id: 'A1' });
    const { gone } = await commerce.database.tx(async (tx) => {
      await tx.query('SELECT FROM welcome_message WHERE store_id = $1 FOR UPDATE', [storeId]);
      const going = ask('DELETE', '/agent/A1');
      await untilWaiting(tx, going);
      await tx.query(`SET LOCAL lock_timeout = '100ms'`);
      await touch(tx, { storeId, at: commerce.clock.now() }, 'welcomes', [storeId]);
      return { gone: going };
    });
    expect((await gone).status).toBe(200);
  });

  it('is off until it says something, and what is not given stays', async () => {
    const { ask, storeId } = await shop();
    const none = { enabled: false, text: '', agent_id: null, once_per_hours: 0 };
    expect((await ask('GET', '/botwelcome')).body.data).toEqual(none);
    expect(await ask('PUT', '/botwelcome', { enabled: true })).toEqual(invalid('text', 'text is a required field'));
    await ask('PUT', '/botwelcome', { enabled: true, text: 'Halo' });
    const changed = { enabled: true, text: 'Halo', agent_id: null, once_per_hours: 24 };
    expect((await ask('PUT', '/botwelcome', { once_per_hours: 24 })).body.data).toEqual(changed);
    const copied = await until(
      async () => chat.copies(storeId).find((row) => 'once_per_hours' in row),
      (row) => row?.once_per_hours === 24,
    );
    expect(copied).toMatchObject({ enabled: true, text: 'Halo', once_per_hours: 24 });
  });

  it('is in the name of an agent that bot-engine has, and written by it at its cost when that is asked for', async () => {
    const { ask } = await shop();
    const nobody = notHere('agent_id', 'is not an AI agent of this store');
    expect(await ask('PUT', '/botwelcome', { agent_id: 'NOBODY' })).toEqual(nobody);
    expect((await ask('PUT', '/botwelcome', { agent_id: 'A1' })).body.data).toMatchObject({ agent_id: 'A1' });
    const made = { welcome_message: 'Halo Kak, ada yang bisa dibantu?', cost_request: '$0.000120' };
    const wish = { agent_id: 'A1', tone: 'ramah' };
    expect(await ask('POST', '/botwelcome/generate', wish)).toEqual(succeeded(200, 'OK', made));
    expect(bot.state.wishes.at(-1)).toMatchObject({ ...wish, language: 'id' });
    expect((await ask('GET', '/botwelcome')).body.data).toMatchObject({ text: '' });
    const missing = refused(404, 'not_found', 'Agent not found');
    expect(await ask('POST', '/botwelcome/generate', { agent_id: 'NOBODY' })).toEqual(missing);
    bot.state.mood = 'down';
    const answers = [
      await ask('PUT', '/botwelcome', { agent_id: 'A1' }),
      await ask('POST', '/botwelcome/generate', wish),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [502, 'provider_error'],
      [502, 'provider_error'],
    ]);
  });
});
