import { sortsOf } from '@platform/data';
import { Choice, Flag, Int, List, Text, Texts, clearing } from '@platform/validation';
import { PageQuery } from '../../../paging';
import { OpenHours } from '../../shop/hours/public';

export const teamKinds = ['cs', 'gudang', 'supervisor'] as const;
export const distributions = ['manual', 'round_robin', 'least_busy'] as const;
const sorts = sortsOf(['name', 'created_at']);
const HOURS = 'When it answers, in the time zone of the store; none: always';

export class ChatTeamsQuery extends PageQuery {
  @Choice(sorts, { optional: true, description: '`name` unless given' }) sort?: (typeof sorts)[number];
}

class ChatTeamFields {
  @Choice(teamKinds, { optional: true, description: '`cs` unless given; who asks for help asks a `supervisor` team' })
  kind?: (typeof teamKinds)[number];
  @Flag({ optional: true, description: 'true unless given: its chats are seen by its members alone' })
  private?: boolean;
  @Choice(distributions, { optional: true, description: '`manual` unless given' })
  distribution?: (typeof distributions)[number];
  @List(() => OpenHours, { optional: true, max: 14, description: HOURS }) hours?: OpenHours[];
}

export class NewChatTeam extends ChatTeamFields {
  @Text({ max: 60, trim: true }) name!: string;
}

export class ChatTeamChange extends clearing(ChatTeamFields, { hours: null }) {
  @Text({ optional: true, max: 60, trim: true }) name?: string;
}

class SeatsAndDevices {
  @Texts({ max: 500, maxLength: 36, description: 'All that it has from now on' }) user_ids!: string[];
  @Texts({
    optional: true,
    max: 100,
    maxLength: 36,
    description: 'All whose new chats are its own; absent: as they are',
  })
  device_ids?: string[];
}

export class ChatTeamMembers extends clearing(SeatsAndDevices, { device_ids: [] }) {}

/** A team as lists show it. */
export class ChatTeamRow {
  @Text() id!: string;
  @Text() name!: string;
  @Choice(teamKinds) kind!: (typeof teamKinds)[number];
  @Flag() private!: boolean;
  @Choice(distributions) distribution!: (typeof distributions)[number];
  @List(() => OpenHours, { nullable: true, description: HOURS }) hours!: OpenHours[] | null;
}

export class ChatTeamMember {
  @Text({ format: 'uuid' }) user_id!: string;
  @Text({ nullable: true }) name!: string | null;
  @Int({ nullable: true, description: 'Chats that they handle now; null: chat-backend does not tell' })
  load!: number | null;
}

export class ChatTeamDevice {
  @Text({ format: 'uuid' }) id!: string;
  @Text() name!: string;
}

export class ChatTeam extends ChatTeamRow {
  @List(() => ChatTeamMember) members!: ChatTeamMember[];
  @List(() => ChatTeamDevice, { description: 'Whose new chats are its own' }) devices!: ChatTeamDevice[];
  @Int({ nullable: true, description: 'Chats that its members handle now, in whichever team' }) load!: number | null;
}
