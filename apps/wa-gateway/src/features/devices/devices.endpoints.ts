import { Binary, oneOf } from '@platform/http';
import { endpoint } from '../../endpoint';
import { refusals } from '../../refusals';
import {
  DeviceInfoReply,
  DeviceReference,
  LogoutReply,
  NewDevice,
  NewDeviceReply,
  QrQuery,
  QrReply,
  type Device,
  type DeviceData,
} from '../registry/public';
import type { DeviceInfoService } from './device-info.service';
import { createDeviceExamples, deviceInfoExamples } from './devices.examples';
import type { DevicesService } from './devices.service';
import { dataUri, qrPicture } from './qr-picture';

const dataOf = ({ instanceId, name, engine, status, webhookUrl, createdAt }: Device): DeviceData => ({
  instanceID: instanceId,
  name,
  engine,
  status,
  webhook_url: webhookUrl,
  created_at: createdAt.toISOString(),
});

const createDevice = (devices: DevicesService) =>
  endpoint({
    post: '/api/new',
    summary: 'Creates a device and begins to link it, or changes one',
    tag: 'session',
    guard: 'perimeter',
    body: NewDevice,
    reply: NewDeviceReply,
    refuses: [refusals.engineStays, refusals.unsupported],
    examples: createDeviceExamples,
    handle: async ({ body }) => {
      const { device, created } = await devices.create(body);
      return { message: created ? 'device created' : 'device already exists', data: dataOf(device) };
    },
  });

const qrcode = (devices: DevicesService) =>
  endpoint({
    get: '/api/qrcode',
    summary: 'The QR code that links the device; waits up to 10 s for one',
    description: 'With format=png the answer is the picture itself.',
    tag: 'session',
    guard: 'perimeter',
    query: QrQuery,
    reply: oneOf(QrReply, 'bytes'),
    refuses: [refusals.deviceNotFound, refusals.alreadyConnected, refusals.codeNotReady, refusals.unsupported],
    handle: async ({ query }) => {
      const { device, code } = await devices.pairingCode(query.instanceID ?? query.instance, query.nohp);
      const picture = await qrPicture(code);
      if (query.format === 'png') return new Binary(picture, 'image/png', { 'Cache-Control': 'no-store' });
      const { qr, attempt, expiresAt, code: pairing_code } = code;
      return {
        message: 'scan qrcode',
        data: {
          instanceID: device.instanceId,
          status: 'qr',
          qrcode: dataUri(picture),
          qr,
          attempt,
          expired_at: expiresAt.toISOString(),
          ...(pairing_code === undefined ? {} : { pairing_code }),
        },
      };
    },
  });

const logout = (devices: DevicesService) =>
  endpoint({
    get: '/api/logout',
    summary: 'Unlinks the device; callbacks already queued are still delivered',
    tag: 'session',
    guard: 'deliberate',
    query: DeviceReference,
    reply: LogoutReply,
    refuses: [refusals.deviceNotFound],
    handle: async ({ query }) => {
      const { instanceId: instanceID } = await devices.logout(query.instanceID ?? query.instance);
      return { message: 'success logout', data: { instanceID, status: 'logged_out' } };
    },
  });

const deviceInfo = (devices: DevicesService, info: DeviceInfoService) =>
  endpoint({
    get: '/api/device-info',
    summary: 'State, queues and abilities of one device, or of all',
    tag: 'session',
    guard: 'perimeter',
    query: DeviceReference,
    reply: DeviceInfoReply,
    refuses: [refusals.deviceNotFound],
    examples: deviceInfoExamples,
    handle: async ({ query }) => {
      const named = query.instanceID ?? query.instance;
      const data =
        named === undefined
          ? { devices: await info.list(await devices.list()) }
          : await info.describe(await devices.resolve(named));
      return { message: 'device info', data };
    },
  });

export const deviceEndpoints = (devices: DevicesService, info: DeviceInfoService) => [
  createDevice(devices),
  qrcode(devices),
  logout(devices),
  deviceInfo(devices, info),
];
