import { parseCallbackNumber, type CallbackExtras, type ChatAddress } from '@platform/contracts';
import { storable } from '@platform/runtime';
import { callbackFailures } from './callback.refusals';

/** What the gateway sends beyond the documented fields; nothing when that is not readable. */
export const extrasOf = (raw: string | undefined): CallbackExtras => {
  if (!raw) return {};
  try {
    // Escapes of its own, which the text around it does not show
    const value: unknown = storable(JSON.parse(raw));
    return typeof value === 'object' && value !== null ? (value as CallbackExtras) : {};
  } catch {
    return {};
  }
};

/** Throws the contract's refusal for what is no address of WhatsApp. */
export const addressOf = (number: string): ChatAddress => {
  const address = parseCallbackNumber(number);
  if (!address) throw callbackFailures.invalidNumber();
  return address;
};
