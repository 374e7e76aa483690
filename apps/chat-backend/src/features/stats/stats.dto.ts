import { Int, List, Nested, Text } from '@platform/validation';

export class StatsQuery {
  @Text({ max: 36, example: 'S1' }) store_id!: string;
  @Text({ format: 'date', description: 'first day, in the time zone of the store', example: '2026-11-01' })
  from!: string;
  @Text({ format: 'date', description: 'last day, counted whole; at most 366 days in all', example: '2026-11-30' })
  to!: string;
}

export class AgentStats {
  @Text() user_id!: string;
  @Text() user_nama!: string;
  @Int({ description: 'chats, open and handled, that they have now' }) load!: number;
  @Int({ description: 'chats that they took or were given' }) handled!: number;
  @Int({ description: 'chats that they ended' }) finished!: number;
  @Int({ nullable: true, description: 'seconds from the begin of a chat to their answer, where it was the first' })
  median_first_response!: number | null;
}

export class StatsStruct {
  @Int({ description: 'chats that began or came back' }) chats_opened!: number;
  @Int() messages_in!: number;
  @Int() messages_out!: number;
  @Int({ description: 'chats that wait for an answer now' }) waiting!: number;
  @List(() => AgentStats) agents!: AgentStats[];
}

export class StatsAnswer {
  @Text({ example: 'success' }) message!: string;
  @Nested(() => StatsStruct) data!: StatsStruct;
}
