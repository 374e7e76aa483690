import { Device } from './features/registry/device.entity';
import { CreateCloud1762000000030 } from './migrations/1762000000030-create-cloud';
import { CreateCampaigns1762000000010 } from './migrations/1762000000010-create-campaigns';
import { CreateGateway1762000000000 } from './migrations/1762000000000-create-gateway';
import { CreateSimulator1762000000001 } from './migrations/1762000000001-create-simulator';
import { CreateSimulatorGroups1762000000002 } from './migrations/1762000000002-create-simulator-groups';
import { AddReadMarks1762000000003 } from './migrations/1762000000003-add-read-marks';
import { ProbeLanes1762000000040 } from './migrations/1762000000040-probe-lanes';
import { ShareLanes1762000000050 } from './migrations/1762000000050-share-lanes';
import { MostTargets1762000000063 } from './migrations/1762000000063-most-targets';
import { OrderOfChats1762000000064 } from './migrations/1762000000064-order-of-chats';
import { FollowSends1762000000020 } from './migrations/1762000000020-follow-sends';
import { CreateLeases1762000000021 } from './migrations/1762000000021-create-leases';
import { CreateLateFiles1762000000060 } from './migrations/1762000000060-create-late-files';
import { ShareDevices1762000000061 } from './migrations/1762000000061-share-devices';
import { RememberStubsAndFarewells1762000000062 } from './migrations/1762000000062-remember-stubs-and-farewells';
import { CreateBaileysAuth1762000000006 } from './migrations/1762000000006-create-baileys-auth';
import { RememberLostLeases1762000000085 } from './migrations/1762000000085-remember-lost-leases';
import { AcknowledgedAtOnce1762000000086 } from './migrations/1762000000086-acknowledged-at-once';
import { LanesByKey1762000000087 } from './migrations/1762000000087-lanes-by-key';

export const schema = 'wa_gateway';
export const entities = [Device];
export const migrations = [
  CreateGateway1762000000000,
  CreateSimulator1762000000001,
  CreateSimulatorGroups1762000000002,
  AddReadMarks1762000000003,
  FollowSends1762000000020,
  CreateLeases1762000000021,
  CreateBaileysAuth1762000000006,
  CreateCloud1762000000030,
  CreateCampaigns1762000000010,
  ProbeLanes1762000000040,
  ShareLanes1762000000050,
  CreateLateFiles1762000000060,
  ShareDevices1762000000061,
  RememberStubsAndFarewells1762000000062,
  MostTargets1762000000063,
  OrderOfChats1762000000064,
  RememberLostLeases1762000000085,
  AcknowledgedAtOnce1762000000086,
  LanesByKey1762000000087,
];
