import type { SecretBox } from '@platform/auth';
import type { Clock } from '@platform/runtime';
import { devicePurpose } from '../devices/device.entity';
import type { DevicesRepository } from '../devices/devices.repository';

export interface CallbackSecretsOptions {
  readonly devices: Pick<DevicesRepository, 'find'>;
  readonly box: SecretBox;
  /** WEBHOOK_SECRET, for devices without a secret of their own. */
  readonly fallback: string | undefined;
  readonly clock: Clock;
}

/** A changed secret is used after this long at most; without it every callback would ask the database. */
const KNOWN_FOR_MS = 5_000;
const MAX_KNOWN = 1_000;

/** What the callbacks of a device are signed with. */
export const callbackSecrets = ({ devices, box, fallback, clock }: CallbackSecretsOptions) => {
  const known = new Map<string, { secret: string | undefined; until: number }>();
  return async (instanceId: string): Promise<string | undefined> => {
    const now = clock.now().getTime();
    const fresh = known.get(instanceId);
    if (fresh && fresh.until > now) return fresh.secret;
    const sealed = (await devices.find(instanceId))?.sealedSecret;
    const secret = sealed ? box.open(sealed, devicePurpose(instanceId)) : fallback;
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(instanceId, { secret, until: now + KNOWN_FOR_MS });
    return secret;
  };
};
