import { environment } from '@platform/runtime';
import { until } from '@platform/testing';
import { SERVICE } from '../../chat.fixture';
import { startLifecycle, type Lifecycle, type Ref } from '../lifecycle/lifecycle.fixture';

const settings: [string, Record<string, string>][] = [['without Redis', {}]];
if (environment.REDIS_URL) settings.push(['with Redis', { REDIS_URL: environment.REDIS_URL }]);
else process.stderr.write('REDIS_URL is not set: moved chats were tested in one process only.\n');

describe.each(settings)('a socket in a chat, %s,', (_, environment) => {
  let chat: Lifecycle;
  let version = 0;
  beforeAll(async () => {
    chat = await startLifecycle({ environment });
  });
  afterAll(() => chat.stop());

  const push = (body: object) => chat.post('/internal/sync', body, { token: chat.tokens.tokenFor(SERVICE) });
  const team = (id: string, fields: object) => ({ store_id: 'S1', updated_at: ++version, id, nama: id, ...fields });
  const say = (ref: Ref, text: string) => chat.inbound({ number: `${ref.nohp}@s.whatsapp.net`, text });
  /** What the other has heard by the time the supervisor hears `text`, which is told to both at once. */
  const heardWith = async (ref: Ref, text: string, { boss, other }: Record<'boss' | 'other', Listener>) => {
    await say(ref, text);
    await until(() => textsOf(boss).includes(text));
    await other.socket.emitWithAck('chatLeave', { chatId: ref.chatId });
    return textsOf(other);
  };
  type Listener = Awaited<ReturnType<Lifecycle['listen']>>;
  const textsOf = ({ heard }: Listener): string[] =>
    heard.flatMap(({ name, payload }) =>
      name === 'newMessage' ? [String((payload as unknown as { inbox: { pesan: string } }).inbox.pesan)] : [],
    );
  const both = async (ref: Ref, token: string) => {
    const [boss, other] = [await chat.listen(chat.people.boss), await chat.listen(token)];
    for (const one of [boss, other]) expect(await one.join(ref)).toEqual({ result: true });
    await say(ref, 'sebelum');
    await until(() => textsOf(other).includes('sebelum') && textsOf(boss).includes('sebelum'));
    return { boss, other };
  };

  it('of an open team hears no more once the chat has moved to a private one', async () => {
    await push({ teams: [team('OPEN', { private: false })] });
    const ref = { ...(await chat.newChat({ team_id: 'OPEN' })), team: 'OPEN' };
    const listeners = await both(ref, chat.people.tono);
    await chat.as(chat.people.boss, 'chat_move', { ...ref, to_team: '3' });
    expect(await heardWith(ref, 'RAHASIA TIM 3', listeners)).toEqual(['sebelum']);
  });

  it('whose team is closed to others hears no more of it', async () => {
    await push({ teams: [team('OPEN2', { private: false })] });
    const ref = { ...(await chat.newChat({ team_id: 'OPEN2' })), team: 'OPEN2' };
    const listeners = await both(ref, chat.people.tono);
    await push({ teams: [team('OPEN2', { private: true })] });
    expect(await heardWith(ref, 'RAHASIA', listeners)).toEqual(['sebelum']);
  });

  it('stays where the team it moved to is open', async () => {
    await push({ teams: [team('OPEN3', { private: false }), team('OPEN4', { private: false })] });
    const ref = { ...(await chat.newChat({ team_id: 'OPEN3' })), team: 'OPEN3' };
    const { other } = await both(ref, chat.people.tono);
    await chat.as(chat.people.boss, 'chat_move', { ...ref, to_team: 'OPEN4' });
    let count = 0;
    await until(async () => {
      await say(ref, `sesudah ${++count}`);
      return textsOf(other).some((text) => text.startsWith('sesudah'));
    });
  });

  it('leaves it with a token of other teams', async () => {
    const ref = await chat.newChat();
    const token = (teams: string[]) => chat.tokens.tokenFor({ sub: 'u-dua', teams });
    const listeners = await both(ref, token(['3', '4']));
    expect(await listeners.other.socket.emitWithAck('authRefresh', { token: token(['4']) })).toMatchObject({
      result: true,
    });
    expect(await heardWith(ref, 'RAHASIA 4', listeners)).toEqual(['sebelum']);
  });

  it('of a supervisor who goes on as an agent hears no more of a team that came later', async () => {
    const as = (claims: object) => chat.listen(chat.tokens.tokenFor({ sub: 'u-naik', ...claims }));
    const [boss, other] = [await chat.listen(chat.people.boss), await as({ role: 'supervisor', teams: [] })];
    await push({ teams: [team('LATER2', {})] });
    const ref = await chat.newChat({ team_id: 'LATER2' });
    const rowsOf = ({ heard }: Listener) => heard.filter(({ payload }) => payload.chat_list?.team === 'LATER2');
    await until(async () => {
      await say(ref, 'halo');
      return rowsOf(other).length > 0;
    });
    const token = chat.tokens.tokenFor({ sub: 'u-naik', teams: ['4'] });
    expect(await other.socket.emitWithAck('authRefresh', { token })).toMatchObject({ result: true });
    const [before, told] = [rowsOf(other).length, rowsOf(boss).length];
    await until(async () => {
      await say(ref, 'halo lagi');
      return rowsOf(boss).length > told + 1;
    });
    await other.socket.emitWithAck('chatLeave', { chatId: ref.chatId });
    expect(rowsOf(other).slice(before)).toEqual([]);
  });

  it('of a supervisor hears the chats of a team that comes later', async () => {
    const boss = await chat.listen(chat.people.boss);
    await push({ teams: [team('LATER', {})] });
    const ref = await chat.newChat({ team_id: 'LATER' });
    let count = 0;
    await until(async () => {
      await say(ref, `halo ${++count}`);
      return boss.heard.some(({ payload }) => payload.chat_list?.team === 'LATER');
    });
  });
});
