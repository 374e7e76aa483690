import { area, dataOf, done, pageOf, Reply, type Endpoint } from '@platform/http';
import type { byOf } from '../../by';
import { OWNER_AWAY } from '../../clients/face';
import { rowEndpoint as endpoint } from '../../endpoint';
import { refusals } from '../../refusals';
import { Device, DeviceChange, DeviceCode, DevicesQuery, DeviceState, NewDevice } from './devices.dto';
import { deviceRefusals, type DevicesService } from './devices.service';

/** Whoever has the code can answer for the shop. */
const SECRET = { headers: { 'Cache-Control': 'no-store' } };

export const devicesEndpoints = (devices: DevicesService, by: ReturnType<typeof byOf>): Endpoint[] =>
  area({ prefix: '/api/device', tag: 'Chat' }, [
    endpoint({
      get: '',
      summary: 'WhatsApp devices of the store',
      description: 'With their states of at most ten seconds ago.',
      guard: 'member',
      query: DevicesQuery,
      reply: pageOf(Device),
      refuses: [],
      handle: (input) => devices.list(by(input), input.query),
    }),
    endpoint({
      post: '',
      summary: 'Add device',
      description: 'It waits to be linked: its code is the next thing to ask for.',
      guard: 'device.write',
      status: 201,
      body: NewDevice,
      reply: dataOf(Device, 'Device created'),
      refuses: ['notFound', refusals.planLimit, ...OWNER_AWAY],
      handle: (input) => devices.add(by(input), input.body),
    }),
    endpoint({
      get: '/{id}',
      summary: 'Device with session state',
      guard: 'member',
      reply: dataOf(Device),
      refuses: ['notFound'],
      handle: (input) => devices.show(by(input), input.params.id),
    }),
    endpoint({
      put: '/{id}',
      summary: 'Rename device or set team',
      description: 'And choose the AI agent that answers its chats.',
      guard: 'device.write',
      body: DeviceChange,
      reply: dataOf(Device, 'Device updated'),
      refuses: ['notFound', ...OWNER_AWAY],
      handle: (input) => devices.change(by(input), input.params.id, input.body),
    }),
    endpoint({
      delete: '/{id}',
      summary: 'Remove device',
      description: 'Its session ends first.',
      guard: 'device.write',
      reply: done('Device deleted'),
      refuses: ['notFound', ...OWNER_AWAY],
      handle: (input) => devices.remove(by(input), input.params.id),
    }),
    endpoint({
      get: '/{id}/qrcode',
      summary: 'Pairing QR code',
      guard: 'device.write',
      reply: dataOf(DeviceCode),
      refuses: ['notFound', deviceRefusals.connected, deviceRefusals.noCode, ...OWNER_AWAY],
      handle: async (input) => new Reply(await devices.code(by(input), input.params.id), SECRET),
    }),
    endpoint({
      get: '/{id}/status',
      summary: 'Live status from the gateway',
      guard: 'member',
      reply: dataOf(DeviceState),
      refuses: ['notFound', ...OWNER_AWAY],
      handle: (input) => devices.status(by(input), input.params.id),
    }),
    endpoint({
      post: '/{id}/logout',
      summary: 'End the device session',
      guard: 'device.write',
      reply: done('Device updated'),
      refuses: ['notFound', ...OWNER_AWAY],
      handle: (input) => devices.logout(by(input), input.params.id),
    }),
  ]);
