import { environment } from '@platform/runtime';
import type { DemoShop } from './demo-shop';

interface GatewayAnswer<T> {
  readonly success: boolean;
  readonly message: string;
  readonly data?: T;
}

/** A gateway that asks for its key gets the one of the setting. */
const key = (): Record<string, string> =>
  environment.GATEWAY_API_KEY ? { 'x-api-key': environment.GATEWAY_API_KEY } : {};

/** One call to the gateway; throws with its own words when it refuses. */
export const callGateway = async <T>(url: string, path: string, body?: object): Promise<T> => {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${url}${path}`, {
    signal: AbortSignal.timeout(20_000),
    headers: { ...key(), ...(body && !isForm ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { method: 'POST', body: isForm ? body : JSON.stringify(body) } : {}),
  });
  const { success, message, data } = (await answer.json()) as GatewayAnswer<T>;
  if (!success) throw new Error(`wa-gateway refused ${path}: ${message} (HTTP ${answer.status})`);
  return data as T;
};

interface DeviceInfo {
  readonly devices: readonly { instanceID: string; status: string }[];
}

/** Links the demo shop's number, so that the first message can be sent at once; a linked one is left alone. */
export const linkDevice = async (url: string, { instance, device }: DemoShop): Promise<string> => {
  const { devices } = await callGateway<DeviceInfo>(url, '/api/device-info');
  const known = devices.find(({ instanceID }) => instanceID === instance);
  if (known?.status !== 'connected') {
    await callGateway(url, '/api/new', { instanceID: instance, name: device.nama });
    await callGateway(url, `/api/qrcode?instanceID=${instance}`);
    await callGateway(url, '/sim/scan', { instanceID: instance, nohp: device.nohp });
  }
  return `${device.nama} (${device.nohp}) linked as ${instance}`;
};
