import { openapi, type Service } from '@platform/http';
import { loadConfig, silentLogger } from '@platform/runtime';
import { exampleCases } from '@platform/testing';
import { createApp } from './app';
import { RINA, SERVICE, startChat, type Chat } from './chat.fixture';
import { settings } from './config';

const config = loadConfig(settings, {
  DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x',
  STORE_AUTH_URL: 'http://127.0.0.1:1',
  SERVICE_CLIENT_SECRET: 's',
  WA_GATEWAY_URL: 'http://127.0.0.1:1',
  MEDIA_SECRET: 's',
});
const service: Service = createApp(config, { logger: silentLogger }).service;

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
});
