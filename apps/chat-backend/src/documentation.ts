import type { RecordedAnswers, Service } from '@platform/http';
import { asyncapi } from '@platform/realtime';
import type { Config } from './config';
import { chatSocketApi } from './features/sockets/socket.api';

/** What its documentation shows beside its endpoints; made when somebody asks for it. */
export const documentation = ({
  RATE_PER_MINUTE,
}: Pick<Config, 'RATE_PER_MINUTE'>): Pick<Service, 'description' | 'sockets' | 'answers'> => ({
  description: [
    'Receives WhatsApp traffic from the gateway, keeps the inbox, and sends what agents and the bot answer',
    `Each user may call the default routes ${RATE_PER_MINUTE} times a minute, all of them together; more is answered 429, with ` +
      'Retry-After and RateLimit headers. `_admin` and `_crm` routes, which nobody needs a name for, are counted by address. Not ' +
      'counted are the callback, tokens of services and addresses that need no token, so that a server may call for many agents.',
  ].join('\n\n'),
  sockets: () => asyncapi(chatSocketApi),
  answers: () => require('./examples.answers.json') as RecordedAnswers,
});
