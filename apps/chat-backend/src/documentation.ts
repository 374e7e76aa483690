import type { RecordedAnswers, Service } from '@platform/http';
import { asyncapi } from '@platform/realtime';
import { chatSocketApi } from './features/sockets/socket.api';

/** What its documentation shows beside its endpoints; made when somebody asks for it. */
export const documentation: Pick<Service, 'description' | 'sockets' | 'answers'> = {
  description: 'Receives WhatsApp traffic from the gateway, keeps the inbox, and sends what agents and the bot answer',
  sockets: () => asyncapi(chatSocketApi),
  answers: () => require('./examples.answers.json') as RecordedAnswers,
};
