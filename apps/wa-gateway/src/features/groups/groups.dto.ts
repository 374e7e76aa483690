import { Choice, Flag, Int, List, Text, Texts } from '@platform/validation';
import type { GroupAction } from '../../engines/engine.types';
import { replyOf } from '../../reply';
import { DeviceReference } from '../registry/public';

const GROUP = { trim: true, max: 64, description: 'the suffix may be left out', example: '120363000000000001@g.us' };
const actions = ['add', 'remove', 'promote', 'demote'] as const satisfies readonly GroupAction[];
const ranks = ['admin', 'superadmin'] as const;

export class NewGroup extends DeviceReference {
  @Text({ trim: true, max: 100, example: 'Pelanggan setia' }) name!: string;
  @Texts({ min: 1, max: 256, maxLength: 64, description: 'numbers in any usual form' }) participants!: string[];
}
export class GroupQuery extends DeviceReference {
  @Text(GROUP) group_id!: string;
}
export class GroupChange extends DeviceReference {
  @Text(GROUP) group_id!: string;
  @Choice(actions) action!: GroupAction;
  @Texts({ min: 1, max: 100, maxLength: 64, description: 'numbers in any usual form' }) participants!: string[];
}

export class ParticipantStatus {
  @Text() number!: string;
  @Int({ description: "WhatsApp's code: 200 done, 403 not allowed, 404 unknown, 409 there already" }) status!: number;
}
export class NewGroupData {
  @Text() group_id!: string;
  @Text() name!: string;
  @List(() => ParticipantStatus) participants!: ParticipantStatus[];
}
export const NewGroupReply = replyOf('NewGroupReply', NewGroupData);

export class MemberData {
  @Text() number!: string;
  @Text({ nullable: true }) name!: string | null;
  @Choice(ranks, { nullable: true }) admin!: null | 'admin' | 'superadmin';
}
export class GroupData {
  @Text() group_id!: string;
  @Text() name!: string;
  @Text({ nullable: true }) description!: string | null;
  @Text({ nullable: true }) owner!: string | null;
  @Text({ format: 'instant' }) created_at!: string;
  @Int({ description: 'participants' }) size!: number;
  @Flag({ description: 'only admins may write' }) announce!: boolean;
  @List(() => MemberData) participants!: MemberData[];
}
export const GroupReply = replyOf('GroupReply', GroupData);

export class ParticipantOutcome extends ParticipantStatus {
  @Text() message!: string;
}
export class GroupChangeData {
  @Text() group_id!: string;
  @Choice(actions) action!: GroupAction;
  @List(() => ParticipantOutcome) results!: ParticipantOutcome[];
}
export const GroupChangeReply = replyOf('GroupChangeReply', GroupChangeData);
