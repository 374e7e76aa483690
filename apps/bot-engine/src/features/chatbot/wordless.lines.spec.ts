import { question, useBot } from '../../app.fixture';

const { bot } = useBot();

it('a line of people without words keeps no message from its answer', async () => {
  const since = ['', ' ', '\u0000', 'oke'].map((content, seq) => ({ role: 'team', content, seq }));
  const { status, body } = await bot.post('/api/chatbot-api', question({ since, seq: 9 }));
  expect(status).toBe(201);
  expect((body as { data: { history: unknown[] } }).data.history[0]).toEqual({
    role: 'assistant',
    content: '[tim] oke',
  });
});
