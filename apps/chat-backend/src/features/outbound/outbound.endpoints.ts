import type { Endpoint } from '@platform/http';
import type { DtoClass } from '@platform/validation';
import { endpoint, everyVariant } from '../../endpoint';
import { noSuchChatExamples } from '../inbox/public';
import { resultText } from '../records/public';
import { actorRefusals, refusals, type Scope } from '../tenancy/public';
import type { ExpressService } from './express.service';
import { SendExpress, SendReply, type SendBase } from './outbound.dto';
import { sendExpressExamples } from './outbound.examples';
import type { OutboundService } from './outbound.service';
import { FILE_BODY, sendKinds } from './send-kinds';

interface SendRoute<B extends SendBase> {
  readonly path: `/v1/send_${string}`;
  readonly name: string;
  readonly summary: string;
  readonly body: DtoClass<B>;
  readonly bodyLimit?: number;
  readonly examples: Endpoint['examples'];
  readonly refuses?: Endpoint['refuses'];
  readonly send: (scope: Scope, body: B) => Promise<string>;
}

const refusing = [
  ...actorRefusals,
  refusals.messageNotFound,
  refusals.deviceOffline,
  refusals.statusChanged,
  refusals.duplicate,
] as const;

const sendEndpoint = <B extends SendBase>({ path, name, send, refuses = [], ...route }: SendRoute<B>): Endpoint =>
  endpoint({
    ...route,
    post: path,
    guard: 'jwt',
    variants: everyVariant,
    tag: 'outbound',
    reply: SendReply,
    refuses: [...refusing, ...refuses],
    handle: async ({ caller, body }) =>
      resultText(`{"message":"success send ${name}",${(await send(caller, body)).trimStart().slice(1)}`),
  });

/** Every send of design 2.5, from one table. */
export const outboundEndpoints = (outbound: OutboundService, express: ExpressService): Endpoint[] => [
  ...sendKinds.map(({ compose, example, ...kind }) =>
    sendEndpoint({
      ...kind,
      examples: noSuchChatExamples(example),
      send: (scope, body) => outbound.send(scope, body, compose(body)),
    }),
  ),
  sendEndpoint({
    path: '/v1/send_express',
    name: 'express',
    summary: 'Sends at once, to a number that needs no chat yet; also from a template',
    body: SendExpress,
    bodyLimit: FILE_BODY,
    examples: sendExpressExamples,
    refuses: [refusals.templateNotFound],
    send: (scope, body) => express.send(scope, body),
  }),
];
