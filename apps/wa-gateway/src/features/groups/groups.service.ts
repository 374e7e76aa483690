import type { Group, GroupMember, Jid } from '../../engines/engine.types';
import { refusals } from '../../refusals';
import type { DeviceCalls } from '../devices/public';
import type {
  GroupChange,
  GroupChangeData,
  GroupData,
  GroupQuery,
  MemberData,
  NewGroup,
  NewGroupData,
} from './groups.dto';

const memberData = ({ number, name, admin }: GroupMember): MemberData => ({ number, name: name ?? null, admin });

const groupData = ({ id, name, description, owner, createdAt, announce, members }: Group): GroupData => ({
  group_id: id,
  name,
  description: description ?? null,
  owner: owner ?? null,
  created_at: new Date(createdAt * 1000).toISOString(),
  size: members.length,
  announce,
  participants: members.map(memberData),
});

/** Groups of a device (design 2.2). Nothing of them is stored here: WhatsApp has them. */
export class GroupsService {
  constructor(private readonly calls: DeviceCalls) {}

  async create(body: NewGroup): Promise<NewGroupData> {
    const participants = this.people(body.participants);
    return this.calls.outward(body, 'groups', async ({ engine }) => {
      const { group, results } = await engine.groupCreate(body.name, participants);
      return {
        group_id: group.id,
        name: group.name,
        participants: results.map(({ number, status }) => ({ number, status })),
      };
    });
  }

  async info(query: GroupQuery): Promise<GroupData> {
    const id = this.group(query.group_id);
    return this.calls.call(query, 'groups', async ({ engine }) => {
      const group = await engine.groupInfo(id);
      if (!group) throw refusals.groupNotFound();
      return groupData(group);
    });
  }

  async change(body: GroupChange): Promise<GroupChangeData> {
    const id = this.group(body.group_id);
    const participants = this.people(body.participants);
    return this.calls.outward(body, 'groups', async ({ engine }) => {
      const results = await engine.groupParticipants(id, body.action, participants);
      if (!results) throw refusals.groupNotFound();
      return { group_id: id, action: body.action, results };
    });
  }

  private group(id: string): Jid {
    return this.calls.jid(id, 'group_id', ['group']);
  }

  /** Each once: WhatsApp refuses a list that names somebody twice. */
  private people(numbers: readonly string[]): Jid[] {
    return [...new Set(numbers.map((number) => this.calls.jid(number, 'participants', ['user', 'lid'])))];
  }
}
