import { Page } from '@platform/http';
import { endpoint } from '../../endpoint';
import { refusals } from '../../refusals';
import type { DevicesService } from '../devices/public';
import { phonePage } from './phone-page';
import {
  ChatReply,
  CountReply,
  DevicesReply,
  FaultsReply,
  InboxReply,
  PhoneReply,
  ScanReply,
  SimChatQuery,
  SimFaults,
  SimInboxQuery,
  SimMessage,
  SimMessageReply,
  SimOffline,
  SimPhone,
  SimPlay,
  SimRead,
  SimReceipt,
  SimScan,
  type SimDevice,
} from './simulator.dto';
import type { SimulatorService } from './simulator.service';

/** The part of the devices' service that lists them. */
export type DeviceDirectory = Pick<DevicesService, 'list'>;

const simulated = async (devices: DeviceDirectory): Promise<SimDevice[]> =>
  (await devices.list())
    .filter(({ engine }) => engine === 'simulator')
    .map(({ instanceId, status, number }) => ({ instanceID: instanceId, status, number }));

const MAX_FILE = 128 * 1024 * 1024;
const common = { guard: 'public', tag: 'simulator' } as const;

const phones = (simulator: SimulatorService) => [
  endpoint({
    ...common,
    post: '/sim/phones',
    summary: 'Makes a phone, or renames one',
    body: SimPhone,
    reply: PhoneReply,
    refuses: [],
    handle: async ({ body }) => ({ message: 'phone saved', data: await simulator.addPhone(body.nohp, body.name) }),
  }),
  endpoint({
    ...common,
    post: '/sim/scan',
    summary: "The shop's phone scans the QR code that a device shows now",
    body: SimScan,
    reply: ScanReply,
    refuses: [refusals.deviceNotFound, refusals.alreadyConnected, refusals.codeNotReady, refusals.codeExpired],
    handle: async ({ body }) => ({ message: 'device linked', data: await simulator.scan(body) }),
  }),
  endpoint({
    ...common,
    post: '/sim/offline',
    summary: 'Takes a phone off the network, or brings it back',
    body: SimOffline,
    reply: PhoneReply,
    refuses: [refusals.phoneNotFound],
    handle: async ({ body }) => ({ message: 'phone saved', data: await simulator.setOffline(body.nohp, body.on) }),
  }),
  endpoint({
    ...common,
    get: '/sim/inbox',
    summary: 'What a phone shows',
    query: SimInboxQuery,
    reply: InboxReply,
    refuses: [refusals.phoneNotFound],
    handle: async ({ query }) => ({ message: 'inbox', data: await simulator.inbox(query.nohp) }),
  }),
];

/** What the page at /sim asks for. */
const page = (simulator: SimulatorService, devices: DeviceDirectory) => [
  endpoint({
    ...common,
    get: '/sim',
    summary: 'A page with a phone: links devices, chats with them, shows ticks',
    reply: 'page',
    refuses: [],
    handle: () => new Page(phonePage),
  }),
  endpoint({
    ...common,
    get: '/sim/devices',
    summary: 'Devices on the simulated network',
    reply: DevicesReply,
    refuses: [],
    handle: async () => ({ message: 'devices', data: { devices: await simulated(devices) } }),
  }),
  endpoint({
    ...common,
    get: '/sim/chat',
    summary: "Both sides of a phone's chats with a device",
    query: SimChatQuery,
    reply: ChatReply,
    refuses: [refusals.phoneNotFound, refusals.deviceNotFound],
    handle: async ({ query }) => ({ message: 'chat', data: await simulator.chat(query) }),
  }),
];

const messages = (simulator: SimulatorService) => [
  endpoint({
    ...common,
    post: '/sim/messages',
    summary: 'A customer writes to a device',
    body: SimMessage,
    accepts: ['json', 'multipart'],
    files: { file: { maxBytes: MAX_FILE } },
    formLimit: MAX_FILE + 1024 * 1024,
    reply: SimMessageReply,
    refuses: [refusals.deviceNotFound, refusals.notConnected],
    handle: async ({ body, files }) => ({ message: 'message sent', data: await simulator.send(body, files[0]) }),
  }),
  endpoint({
    ...common,
    post: '/sim/read',
    summary: 'A customer reads everything that has arrived',
    body: SimRead,
    reply: CountReply,
    refuses: [],
    handle: async ({ body }) => ({ message: 'messages read', data: await simulator.read(body.nohp, body.instanceID) }),
  }),
  endpoint({
    ...common,
    post: '/sim/play',
    summary: 'A customer plays a message',
    body: SimPlay,
    reply: CountReply,
    refuses: [],
    handle: async ({ body }) => ({ message: 'message played', data: await simulator.play(body.id) }),
  }),
  endpoint({
    ...common,
    post: '/sim/receipt',
    summary: 'WhatsApp tells a device of a level out of turn, whatever is true',
    body: SimReceipt,
    reply: CountReply,
    refuses: [refusals.deviceNotFound, refusals.notConnected],
    handle: async ({ body }) => ({ message: 'receipt sent', data: await simulator.receipt(body) }),
  }),
  endpoint({
    ...common,
    post: '/sim/faults',
    summary: 'Makes the network misbehave; what is not named stays as it is',
    body: SimFaults,
    reply: FaultsReply,
    refuses: [refusals.deviceNotFound],
    handle: async ({ body }) => ({ message: 'faults set', data: await simulator.setFaults(body) }),
  }),
];

/** The customers' side of the simulated network; mounted with the simulator only (design 5.5). */
export const simulatorEndpoints = (simulator: SimulatorService, devices: DeviceDirectory) => [
  ...page(simulator, devices),
  ...phones(simulator),
  ...messages(simulator),
];
