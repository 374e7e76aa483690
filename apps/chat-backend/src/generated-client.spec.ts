import { startChat, RINA, type Chat } from './chat.fixture';
import { compileErrors, generatedTypes, run, STRANGER } from './generated-client.fixture';

type ChatsOf = (baseUrl: string, token: string, team: string) => Promise<unknown>;

let chat: Chat;
let types: string;
beforeAll(async () => {
  chat = await startChat();
  const { body } = await chat.call('/docs.json');
  types = generatedTypes(body as object);
});
afterAll(() => chat.stop());

describe('a client that openapi-typescript generates from /docs.json', () => {
  const { chatsOf } = run<{ chatsOf: ChatsOf }>(STRANGER);

  it('compiles with success and refusals told apart by their types', () => {
    expect(compileErrors(types, STRANGER)).toEqual([]);
  });

  it('does not compile where it reads a refusal as a success, or forgets a field', () => {
    const careless = STRANGER.replace('if (data.result) return', 'return');
    const incomplete = STRANGER.replace("nohp: '-', ", '');
    expect(compileErrors(types, careless)).toContainEqual(expect.stringMatching(/'(data|indexlist)' does not exist/));
    expect(compileErrors(types, incomplete)).toContainEqual(expect.stringMatching(/'nohp' is missing/));
  });

  it('reads the list of chats', async () => {
    await chat.inbound({ name: 'Budi' });
    expect(await chatsOf(chat.url, chat.tokens.tokenFor(RINA), '3')).toEqual({
      names: ['Budi'],
      ids: [expect.stringMatching(/^S1\./)],
    });
  });

  it('reads a business refusal, which has status 200', async () =>
    expect(await chatsOf(chat.url, chat.tokens.tokenFor(RINA), '99')).toEqual({
      refused: expect.any(String),
      code: expect.any(String),
    }));

  it('reads fields that break a rule', async () =>
    expect(await chatsOf(chat.url, chat.tokens.tokenFor(RINA), '')).toEqual({ status: 422, refused: ['team'] }));

  it('reads that nobody is signed in', async () =>
    expect(await chatsOf(chat.url, 'no token', '3')).toEqual({
      status: 401,
      refused: { status: 'error', message: 'Unauthenticated' },
    }));
});
