import { newCustomer, question, useBot } from '../../app.fixture';

const { bot, database } = useBot();

const post = (sent: object) => bot.post('/api/chatbot-api', sent);
const statusOf = async (sent: object) => {
  const { status, headers } = await post(sent);
  return `${status} ${headers.get('x-bot-status') ?? ''}`.trim();
};
it('repeats of a message are no turns, of its customer as little as of its store', async () => {
  const idUser = newCustomer();
  const sent = question({ idUser });
  for (let n = 0; n < 7; n += 1)
    expect(await Promise.all(Array.from({ length: 10 }, () => statusOf(sent)))).toEqual(Array(10).fill('201 answered'));
  for (let n = 0; n < 9; n += 1) expect(await statusOf(question({ idUser }))).toBe('201 answered');
  expect([await statusOf(question({ idUser })), await statusOf(sent)]).toEqual(['201 skipped', '201 answered']);
});

it('merged messages are no turns either: a burst is one turn of its customer', async () => {
  const idUser = newCustomer();
  await database.query(`UPDATE bot_agents SET window_ms = 300`);
  for (let n = 0; n < 3; n += 1) {
    const burst = await Promise.all(Array.from({ length: 8 }, () => statusOf(question({ idUser }))));
    expect(burst.sort()).toEqual(['201 answered', ...Array(7).fill('201 merged')]);
  }
  await database.query(`UPDATE bot_agents SET window_ms = NULL`);
});
