import { startHttpServer, useRunning } from '@platform/testing';
import { DEMO, question, useBot, type Bot } from '../../app.fixture';

const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(500, 'a')]);
const VOICE = Buffer.from(`OggS\u0000\u0001SANDBOX-SPEECH: sepatu lari hitam ada?\u0000${'x'.repeat(500)}`);
const files = useRunning(() =>
  startHttpServer((request, response) => response.end(request.url?.includes('.ogg') ? VOICE : JPEG)),
);
const { llm, start } = useBot({ shop: { ...DEMO, ai_agent: { ...DEMO.ai_agent, vision: true } } });
const bot: Bot = useRunning(() =>
  start({ TRANSCRIBE_MODEL: 'sandbox-rules-small', MEDIA_URL_ALLOW: `${files.url}/media/`, BOT_WINDOW_MS: '0' }),
);

const transcriptions = () => llm.requests.filter(({ path }) => path === '/v1/audio/transcriptions').length;
const logged = () =>
  bot.database.query<{ purpose: string; status: string }>(
    `SELECT purpose, status FROM llm_requests WHERE purpose = 'transcribe'`,
  );
const answerOf = ({ body }: { body: unknown }) => (body as { data: { answer: string[]; history: object[] } }).data;

it('a voice note is written down once for its run: a repeat is given the same answer, and the words are in the history', async () => {
  const asked = question({ message: '[audio]', audio: [`${files.url}/media/v.ogg`] });
  const first = await bot.post('/api/chatbot-api', asked);
  const repeats = await Promise.all([1, 2, 3].map(() => bot.post('/api/chatbot-api', asked)));
  expect(answerOf(first).answer.join()).toContain('Sepatu Lari Nusa Hitam 42');
  expect(answerOf(first).history).toContainEqual({ role: 'user', content: '[suara] sepatu lari hitam ada?' });
  expect(repeats.map(answerOf)).toEqual(repeats.map(() => answerOf(first)));
  expect([transcriptions(), await logged()]).toEqual([1, [{ purpose: 'transcribe', status: 'ok' }]]);
});

it('a picture is given to the model for its turn, and its label is kept', async () => {
  const { status, body } = await bot.post(
    '/api/chatbot-api',
    question({ message: '[gambar]', images: [`${files.url}/media/a.jpg`] }),
  );
  expect([status, answerOf({ body }).answer.join()]).toEqual([201, expect.stringContaining('image/jpeg 504 byte')]);
  expect(answerOf({ body }).history).toContainEqual({ role: 'user', content: '[gambar]' });
});

it('a file of a foreign host is a label, and the customer is answered', async () => {
  const elsewhere = files.url.replace('127.0.0.1', 'localhost');
  const { status, body } = await bot.post(
    '/api/chatbot-api',
    question({ message: '', audio: [`${elsewhere}/media/v.ogg`], images: ['http://169.254.169.254/latest/a.jpg'] }),
  );
  expect([status, answerOf({ body }).answer.length > 0]).toEqual([201, true]);
  expect(answerOf({ body }).history).toContainEqual({ role: 'user', content: '[gambar]\n[audio]' });
});
