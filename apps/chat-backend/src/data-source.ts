import type { MigrationClass } from '@platform/data';
import { Alarmed1795213000000 } from './migrations/1795213000000-alarmed';
import { Ages1795208000000 } from './migrations/1795208000000-ages';
import { AliasTimes1795215000000 } from './migrations/1795215000000-alias-times';
import { BegunAs1795214000000 } from './migrations/1795214000000-begun-as';
import { Broadcasts1795203000000 } from './migrations/1795203000000-broadcasts';
import { CampaignTries1795210000000 } from './migrations/1795210000000-campaign-tries';
import { ChatLane1795216000000 } from './migrations/1795216000000-chat-lane';
import { NumbersOfCustomers1795218000000 } from './migrations/1795218000000-numbers-of-customers';
import { WholeKeys1795217000000 } from './migrations/1795217000000-whole-keys';
import { Inbox1795132800000 } from './migrations/1795132800000-inbox';
import { Lifecycle1795133100000 } from './migrations/1795133100000-lifecycle';
import { Listed1795209000000 } from './migrations/1795209000000-listed';
import { SyncAutomationNotifications1795136400000 } from './migrations/1795136400000-sync-automation-notifications';
import { NewestFirst1795205100000 } from './migrations/1795205100000-newest-first';
import { NotificationsByTime1795206000000 } from './migrations/1795206000000-notifications-by-time';
import { ProbeLanes1795205000000 } from './migrations/1795205000000-probe-lanes';
import { ShareLanes1795205200000 } from './migrations/1795205200000-share-lanes';
import { MostTargets1795207000000 } from './migrations/1795207000000-most-targets';
import { PutToBot1795211000000 } from './migrations/1795211000000-put-to-bot';
import { CampaignFillings1795212000000 } from './migrations/1795212000000-campaign-fillings';
import { Searches1795204000000 } from './migrations/1795204000000-searches';
import { Templates1795139000000 } from './migrations/1795139000000-templates';
import { Stats1795202100000 } from './migrations/1795202100000-stats';
import { Timers1795202200000 } from './migrations/1795202200000-timers';
import { TicketDesk1795202000000 } from './migrations/1795202000000-ticket-desk';
import { LanesByKey1795220000000 } from './migrations/1795220000000-lanes-by-key';

export const SCHEMA = 'chat_backend';
export const migrations: MigrationClass[] = [
  Inbox1795132800000,
  Lifecycle1795133100000,
  SyncAutomationNotifications1795136400000,
  Templates1795139000000,
  TicketDesk1795202000000,
  Stats1795202100000,
  Timers1795202200000,
  Searches1795204000000,
  Broadcasts1795203000000,
  ProbeLanes1795205000000,
  NewestFirst1795205100000,
  ShareLanes1795205200000,
  NotificationsByTime1795206000000,
  MostTargets1795207000000,
  Ages1795208000000,
  Listed1795209000000,
  CampaignTries1795210000000,
  PutToBot1795211000000,
  CampaignFillings1795212000000,
  Alarmed1795213000000,
  BegunAs1795214000000,
  AliasTimes1795215000000,
  ChatLane1795216000000,
  WholeKeys1795217000000,
  NumbersOfCustomers1795218000000,
  LanesByKey1795220000000,
];
