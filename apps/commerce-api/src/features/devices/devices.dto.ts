import { sortsOf } from '@platform/data';
import { Int, Json, Nested, Phone, Text, Choice, clearing } from '@platform/validation';
import { Seen } from '../../web/seen';
import { PageQuery } from '../../paging';

const sorts = sortsOf(['name', 'created_at']);
const TEAM = { optional: true, max: 36, description: 'Chat team that new chats come to' } as const;
/** Ids of bot-engine go into addresses there. */
const AGENT = { optional: true, max: 36, pattern: /^[\w-]+$/, description: 'AI agent that answers its chats' } as const;

export class DevicesQuery extends PageQuery {
  @Choice(sorts, { optional: true, description: '`created_at` unless given' }) sort?: (typeof sorts)[number];
}

export class NewDevice {
  @Text({ max: 60, trim: true }) name!: string;
  @Phone({ optional: true, description: 'As expected; the phone that is linked decides' }) number?: string;
  @Text(TEAM) chat_team_id?: string;
}

class DeviceFields {
  @Text(TEAM) chat_team_id?: string;
  @Text(AGENT) bot_agent_id?: string;
}

export class DeviceChange extends clearing(DeviceFields, { chat_team_id: null, bot_agent_id: null }) {
  @Text({ optional: true, max: 60, trim: true }) name?: string;
}

/** The form of a device. */
export class DeviceEdit extends DeviceChange {
  @Text({ max: 60, trim: true }) override name!: string;
  @Seen() seen!: string;
}

/** The design's Device (2.2). */
export class Device {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ description: 'Its name at the gateway, and in chats' }) instance_id!: string;
  @Text() name!: string;
  @Text({ nullable: true }) number!: string | null;
  @Text({
    description: "The gateway's word: `connected`, `qr`, `logged_out` and others; `unknown` while it does not tell",
  })
  status!: string;
  @Text({ nullable: true }) chat_team_id!: string | null;
  @Text({ nullable: true }) bot_agent_id!: string | null;
  @Text({ format: 'instant', nullable: true }) connected_at!: string | null;
  @Text({ format: 'instant', nullable: true }) last_seen_at!: string | null;
}

export class DeviceCode {
  @Text({ description: 'A picture to scan with the phone, as a data URI' }) qrcode!: string;
  @Int({ description: 'Codes that were made for it so far' }) attempt!: number;
  @Text({ format: 'instant' }) expires_at!: string;
}

export class DeviceQueue {
  @Int({ description: 'Messages that are not sent yet' }) outgoing!: number;
  @Int({ description: 'News that chat-backend has not taken yet' }) webhook!: number;
  @Int({ description: 'News that nobody took' }) dead!: number;
}

/** What the gateway tells, in its words. */
export class DeviceState {
  @Text() instanceID!: string;
  @Text() engine!: string;
  @Text() status!: string;
  @Text({ nullable: true }) number!: string | null;
  @Text({ nullable: true }) name!: string | null;
  @Text({ nullable: true }) profilepic!: string | null;
  @Text({ nullable: true }) platform!: string | null;
  @Text({ nullable: true }) connected_at!: string | null;
  @Text({ nullable: true }) last_seen!: string | null;
  @Text({ nullable: true }) last_error!: string | null;
  @Int() reconnects!: number;
  @Text({ nullable: true }) restricted_until!: string | null;
  @Nested(() => DeviceQueue) queue!: DeviceQueue;
  @Json({ description: 'By name: true, or why not' }) capabilities!: object;
}
