import {
  Conflict,
  Forbidden,
  InvalidInput,
  NotFound,
  TooMany,
  Unavailable,
  Unexpected,
  UpstreamFailed,
  UpstreamTimedOut,
} from '@platform/errors';
import { httpClient, path } from '@platform/http';
import { startHttpServer, useForEach } from '@platform/testing';
import { face, isFinal, isRefusal } from './face';

const PHONE = '6281234567890';

/** An owner that answers what a test tells it to, or nothing. */
const startOwner = async () => {
  const state: { answer: readonly [number, object] | undefined; bearers: unknown[] } = {
    answer: [200, {}],
    bearers: [],
  };
  const server = await startHttpServer((request, response) => {
    request.resume();
    state.bearers.push(request.headers.authorization);
    if (!state.answer) return;
    const [status, body] = state.answer;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  return { ...server, state };
};
const owner = useForEach(startOwner);
const http = useForEach(() => httpClient('chat-backend', owner.url));
const chat = (timeoutMs = 200) => face('chat-backend', http, { thing: 'Conversation', timeoutMs, token: () => 'ours' });
const asked = async (status: number, body: object, names = {}): Promise<unknown> => {
  owner.state.answer = [status, body];
  // It answers, on a busy machine late
  return chat(60_000)
    .ask({ path: path('/v1/chat_list'), names })
    .then(() => undefined)
    .catch((failure: unknown) => failure);
};
const business = (code: string) => ({ result: false, message: `${PHONE} kata mereka`, code });

describe('an answer of an owner', () => {
  it.each([
    ['chat_not_found', 'Conversation not found'],
    ['team_not_found', 'Chat team not found'],
    ['device_not_found', 'Device not found'],
    ['ticket_not_found', 'Ticket not found'],
  ])('%s is a 404 in our words', async (code, message) => {
    const failure = await asked(200, business(code));
    expect(failure).toBeInstanceOf(NotFound);
    expect((failure as NotFound).message).toBe(message);
  });

  it('that is a 404 without a code names what the face shows', async () => {
    expect(await asked(404, { status: 'error', message: 'no' })).toEqual(new NotFound('Conversation not found'));
  });

  it.each(['forbidden', 'forbidden_team'])('%s is a 403', async (code) => {
    expect(await asked(200, business(code))).toBeInstanceOf(Forbidden);
  });

  it.each([
    ...['chat_handled', 'chat_finished', 'chat_busy', 'status_changed', 'broadcast_started', 'ticket_closed'],
    ...['already_rated', 'device_offline', 'duplicate', 'version_conflict'],
  ])('%s is a 409 with that code and none of its words', async (code) => {
    const failure = await asked(200, business(code));
    expect(failure).toBeInstanceOf(Conflict);
    expect([(failure as Conflict).code, (failure as Conflict).message]).toEqual([
      code,
      expect.not.stringContaining(PHONE),
    ]);
  });

  it('about fields is about ours', async () => {
    const errors = [
      { field: 'pesan', tag: 'required', message: 'pesan is a required field' },
      { field: 'limit', tag: 'numeric', message: 'limit must be a valid numeric value' },
    ];
    const failure = await asked(422, { errors }, { pesan: 'text' });
    expect(failure).toBeInstanceOf(InvalidInput);
    expect((failure as InvalidInput).violations).toEqual([
      { field: 'text', tag: 'owner', message: 'text is a required field' },
      { field: 'limit', tag: 'owner', message: 'limit must be a valid numeric value' },
    ]);
  });

  it.each([
    [200, business('internal')],
    [200, business('something_new')],
    [500, {}],
    [502, {}],
    [503, {}],
    [401, { error: 'Unauthorized' }],
    [422, { message: 'without fields' }],
    [200, []],
  ])('%s %j is a 502', async (status, body) => {
    expect(await asked(status, body)).toBeInstanceOf(UpstreamFailed);
  });
});

it('an owner that is slow is a 504, and may have done it', async () => {
  owner.state.answer = undefined;
  const failure: unknown = await chat()
    .ask({ path: path('/v1/chat_list') })
    .catch((thrown: unknown) => thrown);
  expect(failure).toBeInstanceOf(UpstreamTimedOut);
  expect(isRefusal(failure)).toBe(false);
});

it('an owner without an address is a 502, and has done nothing', async () => {
  const failure: unknown = await face('chat-backend', undefined, { thing: 'Conversation', timeoutMs: 200 })
    .as('theirs')
    .ask({ path: path('/v1/chat_list') })
    .catch((thrown: unknown) => thrown);
  expect(failure).toBeInstanceOf(UpstreamFailed);
  expect(isRefusal(failure)).toBe(true);
});

it.each([
  ['there is none', new NotFound('none'), true],
  ['its state does not allow it', new Conflict('started'), true],
  ['it refuses what is asked', new UpstreamFailed('no', { outcome: 'refused' }), true],
  ['it cannot answer now', new UpstreamFailed('later', { outcome: 'undone' }), false],
  ['it may have done it', new UpstreamTimedOut('silent'), false],
  ['it is asked too much', new TooMany('later', { retryAfterSeconds: 1 }), false],
  ['our database or store-auth is away', new Unavailable('away'), false],
  ['store-auth refuses us', new Unexpected('no token'), false],
])('a job asks no more only where that is of no use: %s', (_, failure, final) => expect(isFinal(failure)).toBe(final));

it('the token of the caller goes in place of ours', async () => {
  await chat().ask({ path: path('/v1/chat_list') });
  await chat()
    .as('theirs')
    .ask({ path: path('/v1/chat_list') });
  expect(owner.state.bearers).toEqual(['Bearer ours', 'Bearer theirs']);
});
