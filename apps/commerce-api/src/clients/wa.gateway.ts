import { Conflict } from '@platform/errors';
import { path, type HttpClient, type PeerPath } from '@platform/http';
import { face } from './face';

/** A device as the gateway tells of it, in its words. */
export interface GatewayDevice {
  readonly instanceID: string;
  readonly engine: string;
  /** `connected`, `qr`, `logged_out` and others. */
  readonly status: string;
  /** Digits alone. */
  readonly number: string | null;
  readonly name: string | null;
  readonly profilepic: string | null;
  readonly platform: string | null;
  readonly connected_at: string | null;
  readonly last_seen: string | null;
  readonly last_error: string | null;
  readonly reconnects: number;
  readonly restricted_until: string | null;
  readonly queue: { readonly outgoing: number; readonly webhook: number; readonly dead: number };
  readonly capabilities: object;
}

export interface GatewayGroup {
  readonly name: string;
  readonly description: string | null;
  /** How many people are in it. */
  readonly size: number;
}

export interface PairingCode {
  /** A picture as a data URI. */
  readonly qrcode: string;
  readonly attempt: number;
  readonly expired_at: string;
}

/** The service that holds the WhatsApp sessions. Everything throws `UpstreamFailed` or `UpstreamTimedOut` when it does not answer well. */
export interface WaGateway {
  /** Throws `NotFound` for one without a session. */
  device(instance: string): Promise<GatewayDevice>;
  /** Makes the session, which waits to be linked to a phone; the same instance again is the same session. */
  open(instance: string, name: string): Promise<void>;
  /** Undefined while there is none, whatever the reason. Throws `NotFound`. */
  pairingCode(instance: string): Promise<PairingCode | undefined>;
  /** Ends the session, also when it was ended before. Throws `NotFound`. */
  logout(instance: string): Promise<void>;
  /** Throws `NotFound` for a group that the device is not in. */
  group(instance: string, groupId: string): Promise<GatewayGroup>;
}

const TIMEOUT_MS = 5_000;
/** It waits for a code itself, up to ten seconds. */
const CODE_TIMEOUT_MS = 13_000;

const isDevice = (data: Partial<GatewayDevice> | undefined): boolean =>
  typeof data?.instanceID === 'string' && typeof data.status === 'string';

/** The gateway tells numbers as addresses of WhatsApp: `628110000001@s.whatsapp.net`. */
const shown = (device: GatewayDevice): GatewayDevice => ({
  ...device,
  number: device.number && device.number.replace(/[:@].*$/, ''),
});

const unlessInConflict = (failure: unknown): undefined => {
  if (!(failure instanceof Conflict)) throw failure;
};

/** wa-gateway over HTTP, judged by the status of its answers: their texts are not the same everywhere. */
export const httpWaGateway = (http: HttpClient, apiKey: string | undefined, timeoutMs = TIMEOUT_MS): WaGateway => {
  const gateway = face('wa-gateway', http, { thing: 'Device', timeoutMs });
  const headers: Readonly<Record<string, string>> = apiKey === undefined ? {} : { 'x-api-key': apiKey };
  const of = (address: PeerPath, instanceID: string) => ({ path: address, headers, query: { instanceID } });
  return {
    device: async (instance) => {
      type Answer = { data: GatewayDevice };
      const fits = ({ data }: Partial<Answer>) => isDevice(data);
      return shown((await gateway.ask<Answer>({ ...of(path('/api/device-info'), instance), fits })).data);
    },
    open: async (instanceID, name) => {
      await gateway.ask({ method: 'POST', path: path('/api/new'), headers, json: { instanceID, name } });
    },
    pairingCode: (instance) => {
      type Answer = { data: PairingCode };
      const fits = ({ data }: Partial<Answer>) => typeof data?.qrcode === 'string';
      const longest = Math.max(timeoutMs, CODE_TIMEOUT_MS);
      const asked = gateway.ask<Answer>({ ...of(path('/api/qrcode'), instance), fits, timeoutMs: longest });
      return asked.then(({ data }) => data, unlessInConflict);
    },
    logout: async (instance) => {
      await gateway.ask(of(path('/api/logout'), instance));
    },
    group: async (instanceID, group_id) => {
      type Answer = { data: GatewayGroup };
      const fits = ({ data }: Partial<Answer>) => typeof data?.name === 'string' && typeof data.size === 'number';
      const query = { instanceID, group_id };
      return (await gateway.ask<Answer>({ path: path('/api/group/info'), headers, query, fits })).data;
    },
  };
};
