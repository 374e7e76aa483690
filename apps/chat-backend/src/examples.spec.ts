import { openapi } from '@platform/http';
import { documentedAnswers, exampleCases } from '@platform/testing';
import { offlineService, RINA, SERVICE, startChat, type Chat } from './chat.fixture';

const service = offlineService();

let chat: Chat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

describe('documented examples', () => {
  it.each(exampleCases(service).map((one) => [one.name, one] as const))(
    '%s',
    async (_, { method, path, guard, request, status, response }) => {
      const answer = await chat.call(path, {
        method,
        token: chat.tokens.tokenFor(guard === 'service' ? SERVICE : RINA),
        ...(request === undefined ? {} : { body: request }),
      });
      expect({ status: answer.status, body: answer.body }).toEqual({ status, body: response });
    },
  );
});

describe('the API description', () => {
  it('names every schema it refers to, once per operation', () => {
    const document = openapi(service) as {
      components: { schemas: Record<string, unknown> };
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const named = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(
      ([, name]) => name as string,
    );
    expect(named.filter((name) => !(name in document.components.schemas))).toEqual([]);
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('holds an endpoint that lists its refusals to their codes', () => {
    const misfits = documentedAnswers(service);
    const refused = (code: string) =>
      misfits('PUT', '/internal/tickets/T1/rating', 200, { result: false, message: 'tidak bisa', code });
    expect([refused('already_rated'), refused('chat_handled')]).toEqual([
      [],
      expect.arrayContaining(['/code must be equal to one of the allowed values']),
    ]);
  });
});
