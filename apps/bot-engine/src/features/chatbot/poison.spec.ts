import { startGate, until } from '@platform/testing';
import { question } from '../../app.fixture';
import { MODES, useTurns } from '../../turns.fixture';
import { pauseAfter } from './leader';

const FALLBACK = 'Mohon ditunggu ya kak, tim kami akan segera membalas.';
/** For this bot every pause is over at once. */
const AHEAD = { now: () => new Date(Date.now() + 90_000) };

it('the pause after a failed turn doubles, up to a minute', () =>
  expect([0, 1, 2, 3, 4, 5, 60].map(pauseAfter)).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]));

describe.each(MODES)('a turn that fails, %s,', (_, redis) => {
  const { database, post, runsOf, asked, pushedTo, chat, bots } = useTurns(redis, {}, { clock: AHEAD });
  const at = (more: object) => question({ instanceID: 'dev1', team: '3', ...more });

  it('five times calls no model any more: the fixed text is said, people are asked, and nothing waits behind it', async () => {
    const sent = at({ message: 'halo racun' });
    // Only an answer of a model is refused
    await database.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.merged_ids @> ARRAY['${sent.idMessage}'] AND NEW.status = 'done' THEN RAISE EXCEPTION 'refused'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON bot_runs FOR EACH ROW EXECUTE FUNCTION refuse()`);
    expect((await post(sent)).status).toBe(503);
    await until(() => pushedTo(sent.idUser).length > 0);
    // A search, and the answer
    expect(asked('racun')).toHaveLength(5 * 2);
    const [run] = await runsOf(sent.idUser);
    expect(run).toMatchObject({ status: 'fallback', merged_ids: [sent.idMessage] });
    expect(pushedTo(sent.idUser)).toEqual([
      { pesanId: `bot-${run?.id}-0`, instance: 'dev1', nohp: sent.idUser, content: { text: FALLBACK } },
    ]);
    await until(() => chat.asked.some(({ nohp }) => nohp === sent.idUser));
    expect(await post(sent)).toMatchObject({ bot: 'fallback', answer: [FALLBACK], isReplayed: true });
    expect(await post(at({ idUser: sent.idUser, message: 'halo' }))).toMatchObject({ status: 201, bot: 'handover' });
    await database.query('DROP FUNCTION refuse CASCADE');
  });

  it('with a row that can never be kept is told and passed over in the end', async () => {
    const sent = at({ message: 'halo' });
    await database.query(
      `ALTER TABLE bot_messages ADD CONSTRAINT never CHECK (id_message <> '${sent.idMessage}') NOT VALID`,
    );
    expect((await post(sent)).status).toBe(503);
    const log = () => bots.all.flatMap((bot) => bot.log).join('\n');
    await until(() => log().includes('messages that cannot be kept were given up'));
    await database.query('ALTER TABLE bot_messages DROP CONSTRAINT never');
    expect(await post(at({ idUser: sent.idUser, message: 'halo' }))).toMatchObject({ status: 201, bot: 'answered' });
    expect(log()).not.toContain(sent.idUser);
  });
});

describe.each(MODES.filter(([, redis]) => redis !== undefined))('a database that is away, %s,', (_, redis) => {
  const { database, start, useModel, runsOf, asked, pushedTo } = useTurns(redis, {}, { clock: AHEAD });

  it('for as long as it takes makes no message poisonous', async () => {
    const gate = await startGate(database.url);
    const bot = await start({ DATABASE_URL: gate.url });
    await useModel('sandbox-slow-1500');
    const sent = question({ instanceID: 'dev1', team: '3', message: 'halo putus' });
    const waiting = bot.post('/api/chatbot-api', sent);
    await until(() => asked('putus').length > 0);
    await useModel(null);
    await gate.close();
    expect((await waiting).status).toBe(503);
    await gate.open();
    await until(() => pushedTo(sent.idUser).length > 0);
    expect(await runsOf(sent.idUser)).toMatchObject([{ status: 'done', merged_ids: [sent.idMessage] }]);
    await bot.stop();
    await gate.close();
  });
});
