import { replyCopies } from './features/automation/replies/public';
import { ruleCopies } from './features/automation/rules/public';
import { welcomeCopies } from './features/automation/welcomes/public';
import { together, type CopiedKind, type CopiedRows } from './features/chat/copies/public';
import { customerCopies } from './features/contacts/copies/public';
import { deviceCopies } from './features/devices/public';
import type { MediaLibrary } from './features/media/uploads/public';
import { messageTemplateCopies } from './features/messages/public';
import { orderCopies } from './features/sales/orders/public';
import { storeCopies } from './features/shop/store/public';
import { chatTeamCopies, seatCopies } from './features/team/chat-teams/public';
import { memberCopies } from './features/team/members/public';

/** What chat-backend has copies of; what others name comes first. */
export const copiedKinds = (files: Pick<MediaLibrary, 'urlOf'>): Partial<Readonly<Record<CopiedKind, CopiedRows>>> => ({
  ...{ stores: storeCopies, users: memberCopies, teams: chatTeamCopies, team_members: seatCopies },
  ...{ devices: deviceCopies, rules: ruleCopies(files), welcomes: welcomeCopies },
  templates: together(replyCopies(files), messageTemplateCopies),
  ...{ customers: customerCopies, orders: orderCopies },
});
