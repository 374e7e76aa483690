export { MemberView } from './members.dto';
export type { MembersService } from './members.service';
export { memberCopies } from './member.copy';
export { memberNames, type MemberName } from './member.names';
