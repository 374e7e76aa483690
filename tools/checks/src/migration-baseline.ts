/**
 * The migrations that had landed when the rules for rolling releases began. Nothing had been released before, so the rules do
 * not apply to them. The list is closed: every new migration follows the rules.
 */
export const BASE_LINE: Readonly<Record<string, readonly string[]>> = {
  'ads-api': ['CreateApplications1763600000000'],
  'bot-engine': ['CreateBotTables1763640000000'],
  'chat-backend': [
    'Inbox1795132800000',
    'Lifecycle1795133100000',
    'SyncAutomationNotifications1795136400000',
    'Templates1795139000000',
    'TicketDesk1795202000000',
    'Stats1795202100000',
    'Timers1795202200000',
    'Broadcasts1795203000000',
    'Searches1795204000000',
    'ProbeLanes1795205000000',
    'NewestFirst1795205100000',
    'ShareLanes1795205200000',
    'NotificationsByTime1795206000000',
    'MostTargets1795207000000',
  ],
  'commerce-api': ['CreateCatalogue1763600000000'],
  'store-auth': [
    'CreateStoreAuth1763640000000',
    'CompleteStoreAuth1763726400000',
    'CredentialVersions1795341600000',
    'ProofsByUser1795341700000',
  ],
  'wa-gateway': [
    'CreateGateway1762000000000',
    'CreateSimulator1762000000001',
    'CreateSimulatorGroups1762000000002',
    'AddReadMarks1762000000003',
    'CreateBaileysAuth1762000000006',
    'CreateCampaigns1762000000010',
    'FollowSends1762000000020',
    'CreateLeases1762000000021',
    'CreateCloud1762000000030',
    'ProbeLanes1762000000040',
    'ShareLanes1762000000050',
    'CreateLateFiles1762000000060',
    'ShareDevices1762000000061',
    'RememberStubsAndFarewells1762000000062',
    'MostTargets1762000000063',
    'OrderOfChats1762000000064',
  ],
};
