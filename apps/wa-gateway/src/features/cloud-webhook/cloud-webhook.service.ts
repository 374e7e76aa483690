import { createHmac } from 'node:crypto';
import { equalSecrets } from '@platform/auth';
import { Malformed, Unauthenticated, Unexpected } from '@platform/errors';
import { ServedElsewhere } from '../../elsewhere';
import { storable, type Logger } from '@platform/runtime';
import type { CloudAccounts } from '../../engines/cloud/cloud.account';
import { CloudEngine } from '../../engines/cloud/cloud.engine';
import type { CloudValue, CloudWebhook } from '../../engines/cloud/cloud.webhook.types';
import { refusals } from '../../refusals';
import type { Device, DevicesRepository } from '../registry/public';
import type { Fleet } from '../devices/public';

export interface CloudWebhookOptions {
  readonly devices: Pick<DevicesRepository, 'findByCloudNumbers' | 'allOnCloud'>;
  readonly accounts: CloudAccounts;
  readonly fleet: Pick<Fleet, 'line'>;
  readonly logger: Logger;
}

/** What a number of Meta may be called here. */
const NUMBER_ID = /^[\w.-]{1,64}$/;

const valuesOf = (raw: Buffer): CloudValue[] => {
  try {
    const { entry = [] } = JSON.parse(raw.toString('utf8')) as CloudWebhook;
    const changes = entry.flatMap(({ changes: each = [] }) => each);
    return changes.flatMap(({ field, value }) => (field === 'messages' && value ? [value] : []));
  } catch (cause) {
    throw new Malformed('the webhook is no JSON', { cause });
  }
};

/** What Meta posts (design 2.3): believed by its signature, answered when everything in it is stored. */
export class CloudWebhookService {
  constructor(private readonly options: CloudWebhookOptions) {}

  /** The verification of a new address; throws Forbidden for a token that no device has. */
  async verify(mode: string | undefined, token = ''): Promise<void> {
    const { devices, accounts } = this.options;
    const own = (await devices.allOnCloud()).map((device) => this.accountOf(device)?.verifyToken);
    const known = [accounts.fallbackVerifyToken, ...own];
    if (mode !== 'subscribe' || !known.some((each) => each !== undefined && equalSecrets(token, each)))
      throw refusals.verifyToken();
  }

  /**
   * Resolves after the commit of everything in it. Meta repeats what is not answered with 200, for days. `passedOn`: by
   * another process, which has stored what is its own.
   */
  async receive(raw: Buffer, signature: string | undefined, passedOn = false): Promise<void> {
    // Only as much work as needed for somebody who has proven nothing so far
    const values = valuesOf(raw);
    const owners = await this.stored(() => this.owners(values));
    await this.stored(() => this.checkSignature(raw, signature, [...owners.values()]));
    const elsewhere = new Map<string, ServedElsewhere>();
    const failures: unknown[] = [];
    let here = 0;
    for (const [device, own] of this.byDevice(storable(values), owners)) {
      const other = await this.hand(device, own).catch((failure: unknown) => void failures.push(failure));
      if (other) elsewhere.set(other.elsewhere.baseUrl, other);
      else here += 1;
    }
    // What one device has not stored keeps no other's from it, and all of it comes again
    if (failures.length > 0) throw failures[0];
    this.passOn([...elsewhere.values()], passedOn && here > 0);
  }

  private byDevice(values: readonly CloudValue[], owners: ReadonlyMap<string, Device>): Map<Device, CloudValue[]> {
    const devices = new Map<Device, CloudValue[]>();
    for (const value of values) {
      const device = owners.get(value.metadata?.phone_number_id ?? '');
      if (device)
        devices
          .set(device, devices.get(device) ?? [])
          .get(device)
          ?.push(value);
      else this.options.logger.warn('a webhook for a number that no device has', { field: 'messages' });
    }
    return devices;
  }

  /** Forwarded once and to one process: events for several processes are repeated by Meta and reach the others then. */
  private passOn([other, another]: readonly ServedElsewhere[], isKnownThere: boolean): void {
    if (another) throw another.elsewhere.otherwise;
    if (other && !isKnownThere) throw other;
  }

  /** Who has the device, when this process has not. */
  private hand(device: Device, values: readonly CloudValue[]): Promise<ServedElsewhere | undefined> {
    return this.stored(async () => {
      const { engine } = await this.options.fleet.line(device);
      if (engine instanceof CloudEngine) await engine.receive(values);
      return undefined;
    }).catch((failure: unknown) => {
      if (failure instanceof ServedElsewhere) return failure;
      throw failure;
    });
  }

  /** Asked for together: a body may name thousands. */
  private async owners(values: readonly CloudValue[]): Promise<ReadonlyMap<string, Device>> {
    const numbers = new Set(values.map(({ metadata }) => String(metadata?.phone_number_id ?? '')));
    const found = await this.options.devices.findByCloudNumbers([...numbers].filter((each) => NUMBER_ID.test(each)));
    return new Map(found.map((device) => [device.cloudAccount?.phone_number_id ?? '', device]));
  }

  /** Signed for every device that it names; one that names none, for any of them: the secret is the app's. */
  private async checkSignature(raw: Buffer, signature = '', owners: readonly Device[]): Promise<void> {
    const isRight = (secret: string | undefined): boolean =>
      secret !== undefined &&
      equalSecrets(signature, `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`);
    const secrets = (devices: readonly Device[]) => [
      ...new Set(devices.map((each) => this.accountOf(each)?.appSecret)),
    ];
    const right =
      owners.length > 0
        ? secrets(owners).every(isRight)
        : secrets(await this.options.devices.allOnCloud()).some(isRight);
    if (!right) throw refusals.wrongSignature();
  }

  private accountOf({ instanceId, cloudAccount }: Device) {
    return cloudAccount ? this.options.accounts.open(instanceId, cloudAccount) : undefined;
  }

  /** Whatever keeps an event from being stored is answered with 500 (design 2.3). */
  private async stored<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      const isSettled = [Unauthenticated, ServedElsewhere, Malformed].some((kind) => cause instanceof kind);
      throw isSettled ? cause : new Unexpected('the webhook was not stored', { cause });
    }
  }
}
