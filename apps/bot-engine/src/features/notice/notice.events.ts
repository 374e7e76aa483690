import type { EventsOf, SocketApi } from '@platform/realtime';
import { Int, Text } from '@platform/validation';

/** Ids only: by contract the event is global and public, so it must hold no text, name or number (design 1.2, G4). */
export class NewMessageNotice {
  @Text({ example: '7' }) idStore!: string;
  @Text({ description: 'as chat-backend names it; a digest when the notice came without one', example: '7.c1' })
  chatId!: string;
  @Text({ example: '3EB0A1' }) idMessage!: string;
  @Text({ nullable: true, example: 'chat' }) type!: string | null;
  @Int({ nullable: true }) timestamp!: number | null;
}

/** Every event on the sockets of bot-engine. */
export const botSocketApi = {
  name: 'bot-engine',
  description:
    'Tells every connected client that a store received a message. Open to all, without authentication, as the contract says; clients read the message itself through chat-backend. Delivery is at most once: losses of up to 2 minutes are made up for.',
  events: {
    newMessage: { summary: 'A store received a message', to: 'everybody', payload: NewMessageNotice },
  },
} as const satisfies SocketApi;

export type BotEvents = EventsOf<typeof botSocketApi.events>;
