import { callbackRefusals, parseCallbackNumber, type CallbackExtras, type ChatAddress } from '@platform/contracts';
import { Rejected } from '@platform/errors';

/** What the gateway says beyond the documented fields; nothing when it says nothing readable. */
export const extrasOf = (raw: string | undefined): CallbackExtras => {
  if (!raw) return {};
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === 'object' && value !== null ? (value as CallbackExtras) : {};
  } catch {
    return {};
  }
};

/** Throws the contract's refusal for what is no address of WhatsApp. */
export const addressOf = (number: string): ChatAddress => {
  const address = parseCallbackNumber(number);
  if (!address) throw new Rejected(callbackRefusals.invalidNumber);
  return address;
};
