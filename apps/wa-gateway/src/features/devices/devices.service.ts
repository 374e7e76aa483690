import { randomBytes } from 'node:crypto';
import type { SecretBox } from '@platform/auth';
import { jidOf, parseAddress } from '@platform/contracts';
import { InvalidInput, type Failure } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import type { CloudAccounts } from '../../engines/cloud/cloud.account';
import type { DeviceState, EngineKind, QrInfo } from '../../engines/engine.types';
import { refusals } from '../../refusals';
import {
  devicePurpose,
  demandCapabilities,
  type Device,
  type NewDevice,
  type DevicesRepository,
} from '../registry/public';
import type { Fleet } from './fleet';
import type { WebhookAddresses } from './webhook-address';

export interface DeviceDefaults {
  readonly engine: EngineKind;
  readonly webhookUrl: string;
  readonly countryCode: string;
}

export interface DevicesOptions {
  readonly devices: DevicesRepository;
  readonly fleet: Fleet;
  readonly box: SecretBox;
  readonly cloud: CloudAccounts;
  readonly webhooks: WebhookAddresses;
  readonly defaults: DeviceDefaults;
  readonly clock: Clock;
}

/** States of a line that is up, or comes back by itself. */
const LINKED: ReadonlySet<DeviceState> = new Set<DeviceState>(['connected', 'reconnecting']);
const PAIRS_ANEW: ReadonlySet<DeviceState> = new Set<DeviceState>(['created', 'logged_out', 'qr_expired']);
const CODE_WAIT_MS = 10_000;

/** Creates, links and unlinks devices. */
export class DevicesService {
  constructor(private readonly options: DevicesOptions) {}

  /** The named device, or the only one (design 2.1). */
  async resolve(instanceId: string | undefined): Promise<Device> {
    const { devices } = this.options;
    const [device, another] = instanceId === undefined ? await devices.some() : [await devices.find(instanceId)];
    if (another) throw new InvalidInput([{ field: 'instanceID', tag: 'required', message: 'instanceID is required' }]);
    if (!device) throw refusals.deviceNotFound();
    return device;
  }

  async create(wanted: NewDevice): Promise<{ device: Device; created: boolean }> {
    const { devices, fleet, webhooks, defaults } = this.options;
    const instanceId = wanted.instanceID ?? wanted.instance ?? `dev-${randomBytes(4).toString('hex')}`;
    const engine = wanted.engine ?? defaults.engine;
    const phone = this.phoneOf(wanted.nohp);
    if (wanted.webhook_url !== undefined) await webhooks.check(wanted.webhook_url);
    const sealedSecret = this.sealed(instanceId, wanted.secret);
    const fresh = {
      instanceId,
      engine,
      name: wanted.name ?? '',
      status: 'created' as const,
      webhookUrl: wanted.webhook_url ?? defaults.webhookUrl,
      sealedSecret,
      online: wanted.online ?? true,
    };
    const known = await devices.find(instanceId);
    if (!known && !fleet.supports(engine)) throw this.unsupported(engine);
    const created =
      !known &&
      (await devices.insert({ ...fresh, ...(await this.cloudOf(instanceId, engine, wanted)), reconnects: 0 }));
    if (!created) await this.change(instanceId, wanted, sealedSecret);
    const device = await this.resolve(instanceId);
    if (PAIRS_ANEW.has(device.status)) await (await fleet.line(device)).pair(phone);
    return { device: created ? device : await this.resolve(instanceId), created };
  }

  /** The code to scan; starts a new round when the last has ended (design 2.2). */
  async pairingCode(instanceId: string | undefined, nohp?: string): Promise<{ device: Device; code: QrInfo }> {
    const phone = this.phoneOf(nohp);
    const device = await this.resolve(instanceId);
    const linked = refusals.alreadyConnected();
    if (LINKED.has(device.status)) throw linked;
    const line = await this.options.fleet.line(device);
    demandCapabilities(line.engine, ['qr', ...(phone === undefined ? [] : (['pairing_code'] as const))]);
    // It waits for its turn to connect, and no code would ever come
    if (device.status === 'connecting' && line.engine.info().linked) throw linked;
    await line.pair(phone);
    const code = await line.pairingCode(CODE_WAIT_MS, this.options.clock.now());
    if (!code) throw refusals.codeNotReady(device.status);
    return { device, code };
  }

  async logout(instanceId: string | undefined): Promise<Device> {
    const device = await this.resolve(instanceId);
    if (device.status !== 'logged_out') await (await this.options.fleet.line(device)).logout();
    return device;
  }

  list(): Promise<Device[]> {
    return this.options.devices.all();
  }

  private async change(instanceId: string, wanted: NewDevice, sealedSecret: string | null): Promise<void> {
    const { devices, fleet } = this.options;
    const known = await this.resolve(instanceId);
    const engine = wanted.engine ?? known.engine;
    if (engine !== known.engine && LINKED.has(known.status)) throw refusals.engineStays();
    if (!fleet.supports(engine)) throw this.unsupported(engine);
    const account = await this.cloudOf(instanceId, engine, wanted, known);
    if (engine !== known.engine || account.cloudAccount) await fleet.retire(instanceId);
    const { name, webhook_url: webhookUrl, online } = wanted;
    await devices.update(instanceId, {
      engine,
      ...(name === undefined ? {} : { name }),
      ...(webhookUrl === undefined ? {} : { webhookUrl }),
      ...(online === undefined ? {} : { online }),
      ...(sealedSecret === null ? {} : { sealedSecret }),
      ...account,
    });
    // A new token is tried at once: there may be no request to the device for hours
    if (account.cloudAccount && LINKED.has(known.status)) await fleet.line(await this.resolve(instanceId));
  }

  /** What a device on the Cloud API signs in with, when it is new or changes. A number belongs to one device: webhooks name nothing else. */
  private async cloudOf(
    instanceId: string,
    engine: EngineKind,
    { cloud }: NewDevice,
    known?: Device,
  ): Promise<Pick<Partial<Device>, 'cloudAccount'>> {
    const { devices, cloud: accounts } = this.options;
    // A device on another engine must not keep the number's webhooks to itself
    if (engine !== 'cloud') return known?.cloudAccount ? { cloudAccount: null } : {};
    if (known?.cloudAccount && !cloud) return {};
    const cloudAccount = accounts.seal(instanceId, cloud);
    const owner = await devices.findByCloudNumber(cloudAccount.phone_number_id);
    if (owner && owner.instanceId !== instanceId)
      throw new InvalidInput([{ field: 'cloud.phone_number_id', tag: 'taken', message: 'belongs to another device' }]);
    return { cloudAccount };
  }

  private sealed(instanceId: string, secret: string | undefined): string | null {
    return secret === undefined ? null : this.options.box.seal(secret, devicePurpose(instanceId));
  }

  private phoneOf(nohp: string | undefined): string | undefined {
    if (nohp === undefined) return undefined;
    const address = parseAddress(nohp, this.options.defaults.countryCode);
    if (address?.kind === 'user') return jidOf(address);
    throw new InvalidInput([{ field: 'nohp', tag: 'number_format', message: 'number format not valid' }]);
  }

  private unsupported(engine: EngineKind): Failure {
    const why = engine === 'simulator' ? 'not allowed in production' : 'package not installed';
    return refusals.unsupported(`${engine}: ${why}`);
  }
}
