import { componentSchemas, schemaReference, type DtoClass, type JsonSchema } from '@platform/validation';
import { sessionEvents, sessionRequests } from './session.dto';
import type { OneOrMore, SocketApi, SocketEvent, SocketRequest } from './socket-api';

interface Reference {
  readonly $ref: string;
}

interface Message {
  readonly name: string;
  readonly title: string;
  readonly payload: JsonSchema;
}

interface Operation {
  /** From the service's point of view: it sends events and receives requests. */
  readonly action: 'send' | 'receive';
  readonly channel: Reference;
  readonly summary: string;
  readonly description?: string;
  readonly messages: readonly Reference[];
  readonly reply?: { readonly channel: Reference; readonly messages: readonly Reference[] };
}

/** An AsyncAPI 3 document (https://www.asyncapi.com/docs/reference/specification/v3.0.0), as far as `asyncapi` writes it. */
export interface AsyncApiDocument {
  readonly asyncapi: string;
  readonly info: JsonSchema & { readonly title: string; readonly description: string };
  readonly defaultContentType: string;
  readonly servers: Readonly<Record<string, JsonSchema>>;
  readonly channels: Readonly<Record<string, JsonSchema>>;
  readonly operations: Readonly<Record<string, Operation>>;
  readonly components: {
    readonly messages: Readonly<Record<string, Message>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: Readonly<Record<string, JsonSchema & { readonly description: string }>>;
  };
}

const CHANNEL = { $ref: '#/channels/sockets' };
const SCHEME = {
  jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  secret: { type: 'apiKey', in: 'password' },
} as const;

const listOf = (dtos: OneOrMore): readonly DtoClass[] => (Array.isArray(dtos) ? dtos : [dtos]) as readonly DtoClass[];

const payloadOf = (dtos: OneOrMore): JsonSchema => {
  const [first, ...others] = listOf(dtos).map(schemaReference);
  return others.length > 0 ? { oneOf: [first, ...others] } : (first ?? {});
};

const messageOf = (name: string, title: string, dtos: OneOrMore): Message => ({
  name,
  title,
  payload: payloadOf(dtos),
});

const inChannel = (name: string): Reference => ({ $ref: `#/channels/sockets/messages/${name}` });

const answerTo = (request: string): string => `${request}Answer`;

const sent = (name: string, { summary, description, to }: SocketEvent): Operation => ({
  action: 'send',
  channel: CHANNEL,
  summary,
  description: `${description ? `${description} ` : ''}Heard by: ${to}.`,
  messages: [inChannel(name)],
});

const received = (name: string, { summary, description }: SocketRequest): Operation => ({
  action: 'receive',
  channel: CHANNEL,
  summary,
  ...(description ? { description } : {}),
  messages: [inChannel(name)],
  reply: { channel: CHANNEL, messages: [inChannel(answerTo(name))] },
});

/** Only tokens expire, so only clients with one receive this. */
const whole = ({ token, events, requests = {} }: SocketApi) =>
  token?.kind === 'jwt'
    ? { events: { ...events, ...sessionEvents }, requests: { ...requests, ...sessionRequests } }
    : { events, requests };

const componentsOf = (api: SocketApi): AsyncApiDocument['components'] => {
  const events = Object.entries<SocketEvent>(whole(api).events);
  const requests = Object.entries<SocketRequest>(whole(api).requests);
  const messages = [
    ...events.map(([name, { summary, payload }]) => messageOf(name, summary, payload)),
    ...requests.flatMap(([name, { summary, payload, answer }]) => [
      messageOf(name, summary, payload),
      messageOf(answerTo(name), `Acknowledgement of ${name}`, answer),
    ]),
  ];
  const dtos = [
    ...events.map(([, { payload }]) => payload),
    ...requests.flatMap(([, { payload, answer }]) => [payload, answer]),
  ].flatMap(listOf);
  const { token } = api;
  return {
    messages: Object.fromEntries(messages.map((message) => [message.name, message])),
    schemas: componentSchemas([...new Set(dtos)]),
    securitySchemes: token ? { token: { ...SCHEME[token.kind], description: token.description } } : {},
  };
};

/** The AsyncAPI 3 document of a service's sockets, derived from what it declares. */
export const asyncapi = (api: SocketApi): AsyncApiDocument => {
  const components = componentsOf(api);
  const { events, requests } = whole(api);
  return {
    asyncapi: '3.0.0',
    info: {
      title: `${api.name} sockets`,
      version: '1',
      description: api.description,
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    servers: {
      here: {
        host: '{host}',
        pathname: '/socket.io',
        protocol: 'socket.io',
        protocolVersion: '5',
        description: 'The service that this document was read from, by a socket.io client of version 4',
        variables: { host: { description: 'host and port', examples: ['127.0.0.1:3000'] } },
        ...(api.token ? { security: [{ $ref: '#/components/securitySchemes/token' }] } : {}),
      },
    },
    channels: {
      sockets: {
        address: '/',
        title: 'The default namespace',
        messages: Object.fromEntries(
          Object.keys(components.messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
    },
    operations: Object.fromEntries([
      ...Object.entries<SocketEvent>(events).map(([name, event]) => [name, sent(name, event)]),
      ...Object.entries<SocketRequest>(requests).map(([name, request]) => [name, received(name, request)]),
    ]) as Record<string, Operation>,
    components,
  };
};
