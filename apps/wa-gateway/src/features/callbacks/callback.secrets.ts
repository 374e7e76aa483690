import type { SecretBox } from '@platform/auth';
import { LruCache, type Clock } from '@platform/runtime';
import { devicePurpose, type DevicesRepository } from '../registry/public';

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
  const known = new LruCache<string, { readonly secret: string | undefined }>({
    limit: MAX_KNOWN,
    ttlMs: KNOWN_FOR_MS,
    clock,
  });
  return async (instanceId: string): Promise<string | undefined> => {
    const fresh = known.get(instanceId);
    if (fresh) return fresh.secret;
    const sealed = (await devices.find(instanceId))?.sealedSecret;
    const secret = sealed ? box.open(sealed, devicePurpose(instanceId)) : fallback;
    known.set(instanceId, { secret });
    return secret;
  };
};
