// Help with a chat, with chat-backend as a process beside it: what was typed stays, who is called reads why.
import { until, useRunning } from '@platform/testing';
import { startInboxWorld } from '../inbox.fixture';
import { agentIn, alertOf, at, bandOf, begunIn, newTeam, type Agent } from './desk.fixture';

const world = useRunning(startInboxWorld);

const REASON = 'Minta potongan <b>20%</b>';
const typed = '>Minta potongan &lt;b>20%&lt;/b></textarea>';
const ENDS = 'value="help_done"';
const HELP = '/chats?view=help';

/** The chat of team 3, with another team that can be asked. */
const begun = async () => {
  const one = await begunIn(world);
  await newTeam(world, one.shop, '4');
  const agent = async (...teams: string[]) => {
    const each = await agentIn(world, one.shop, ...teams);
    for (const team of teams)
      await one.shop.there(
        'INSERT INTO team_members (store_id, team_id, user_id) VALUES ($1, $2, $3)',
        team,
        each.userId,
      );
    return each;
  };
  const shown = async ({ browser }: Agent) => (await browser.get(at(one.chat))).text;
  const ask = async (more: Record<string, string> = {}) => {
    const { browser } = one.rina;
    await browser.get(`${at(one.chat)}?help=true`);
    return browser.post(`${at(one.chat)}/action`, { action: 'escalate', reason: REASON, team_id: '4', ...more });
  };
  return { ...one, agent, shown, ask };
};

it('a reason stays as it was typed while chat-backend hangs or is away, with words about it; it is asked once when it is there again', async () => {
  const { rina, chat, ask, shown } = await begun();
  await rina.browser.get(`${at(chat)}?help=true`);
  world.chat.freeze();
  const slow = await ask();
  world.chat.awaken();
  await world.chat.kill();
  const down = await ask();
  const open = await rina.browser.get(`${at(chat)}?help=true`);
  await world.chat.restart();
  expect([slow.status, down.status, open.status]).toEqual([504, 502, 200]);
  for (const { text } of [slow, down]) {
    expect(text).toContain(typed);
    expect(text).toMatch(/<option value="4" selected/);
    expect(text).toContain('yang Anda ketik tidak hilang');
  }
  expect(open.text).toContain('name="reason"');
  await until(async () => (await ask()).status === 303);
  expect((await shown(rina)).match(/class="band-help"/g)).toHaveLength(1);
});

it('a team that is not there any more is said at its field, of help and of a move', async () => {
  const { act, rina, ask } = await begun();
  const lost = await ask({ team_id: '77' });
  expect([lost.status, lost.text.includes(typed)]).toEqual([409, true]);
  expect(lost.text).toMatch(/id="escalate-team_id-error">Tim ini tidak ada lagi. Pilih tim lain./);
  const moved = await act('move', rina, { team_id: '77' });
  expect([moved.status, moved.text.includes('Tim ini tidak ada lagi. Pilih tim lain.')]).toEqual([409, true]);
});

it.each(['\u200b', '\u200b \u2060', '\u3164', '\u200f\u061c'])('%j is no reason and no answer', async (unseen) => {
  const { ask, reply } = await begun();
  const asked = await ask({ reason: unseen });
  expect([asked.status, asked.text.includes('id="escalate-reason-error"')]).toEqual([422, true]);
  expect((await reply(unseen)).status).toBe(422);
});

const HOSTILE = `</p><script>alert(1)</script>\u202e"'& javascript:alert(2) `;

it('who is called reads over the chat who called them and why, on an open page too, whatever was written', async () => {
  const { agent, shown, ask, chat, rina, act } = await begun();
  const vera = await agent('4');
  const own = await rina.listen(`${at(chat)}?view=all`);
  await ask({ reason: HOSTILE.repeat(16).trim() });
  const called =
    /<p class="band-help"><b><bdi>([^<]+)<\/bdi> meminta bantuan<\/b> <time [^>]+>[^<]+<\/time><span dir="auto">([^<]+)<\/span>/;
  const [, who, why = ''] = called.exec(await shown(vera)) ?? [];
  expect([who, why.startsWith('&lt;/p>&lt;script>alert(1)'), why.match(/javascript:/g)?.length]).toEqual([
    ...[expect.any(String), true, 16],
  ]);
  await until(() => called.test(own.html()));
  expect(await shown(vera)).not.toMatch(/<script>alert/);
  await act('help_done', rina);
  await until(() => own.html().lastIndexOf('id="band"') > own.html().lastIndexOf('band-help'));
  await own.close();
});

it('help is ended by who was asked, who asked and who sees all, and offered to nobody else; each is led to what still waits', async () => {
  for (const [who, may] of [
    ['asked', true],
    ['asking', true],
    ['boss', true],
    ['colleague', false],
  ] as const) {
    const { agent, shown, ask, act, rina, reply, chat } = await begun();
    const vera = await agent('4');
    const someone = { asked: vera, asking: rina, boss: await agent(), colleague: await agent('3') }[who];
    await ask();
    await reply('Boleh 10%, Kak', vera);
    expect([who, (await shown(someone)).includes(ENDS)]).toEqual([who, may]);
    const { status, location, text } = await act('help_done', someone);
    expect([who, status, location]).toEqual([who, may ? 303 : 409, may ? HELP : undefined]);
    if (!may) expect(text).toContain('Hanya yang menangani chat ini');
    if (!may) continue;
    expect((await someone.browser.get(HELP)).status).toBe(200);
    // Nobody's, whoever ended it
    expect([(await vera.browser.get(at(chat))).status, bandOf(await shown(rina))]).toEqual([404, 'Belum diambil']);
    expect((await act('take', rina)).status).toBe(303);
  }
});

it('help that has ended is ended again by a second click, without a page that is not there', async () => {
  const { agent, ask, chat } = await begun();
  const vera = await agent('4');
  await ask();
  await vera.browser.get(at(chat));
  const fields = { ...vera.browser.hidden(`${at(chat)}/action`), action: 'help_done' };
  const clicks = await Promise.all([1, 2].map(() => vera.browser.send(`${at(chat)}/action`, fields)));
  clicks.push(await vera.browser.send(`${at(chat)}/action`, fields));
  expect(clicks.map(({ status, location }) => [status, location])).toEqual(clicks.map(() => [303, HELP]));
  await vera.browser.get(HELP);
  expect((await vera.browser.send(`${at(chat)}/action`, fields)).location).toBe(HELP);
  expect((await vera.browser.get(HELP)).text).not.toContain('Bantuan ditandai selesai');
});

it('a helper is offered what they may do and no more', async () => {
  const { agent, shown, ask } = await begun();
  const vera = await agent('4');
  await ask();
  const offered = [...(await shown(vera)).matchAll(/name="action" value="([a-z_]+)"/g)].map(([, action]) => action);
  expect(offered).toEqual(['read', 'help_done']);
});

it('what a helper writes when their help has just ended is not sent, and stays before them', async () => {
  const { agent, ask, act, rina, chat, sent } = await begun();
  const vera = await agent('4');
  await ask();
  await vera.browser.get(at(chat));
  const [reply, action] = ['messages', 'action'].map((form) => vera.browser.hidden(`${at(chat)}/${form}`));
  await act('help_done', rina);
  const said = await vera.browser.send(`${at(chat)}/messages`, { ...reply, text: 'Boleh 10%, Kak' });
  const asked = await vera.browser.send(`${at(chat)}/action`, { ...action, action: 'escalate', reason: 'Lihat ini' });
  for (const [{ status, text }, words] of [
    [said, 'Boleh 10%, Kak'],
    [asked, 'Lihat ini'],
  ] as const) {
    expect([status, text.includes(`${words}</textarea>`)]).toEqual([404, true]);
    expect(alertOf(text)).toContain('belum terkirim');
  }
  expect(await sent()).toEqual([]);
});
