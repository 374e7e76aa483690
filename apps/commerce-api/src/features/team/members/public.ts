export { MemberChange, MemberView } from './members.dto';
export { editableOf, MembersService } from './members.service';
export { memberCopies } from './member.copy';
export { memberNames, type MemberName } from './member.names';
