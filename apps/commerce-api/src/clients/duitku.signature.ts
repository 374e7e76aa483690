import { createHash } from 'node:crypto';
import type { DuitkuAccount } from './gateway.settings';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Header of a new invoice (design 5.3); `timestamp` in epoch milliseconds. */
export const duitkuCreateSignature = ({ merchant, key }: DuitkuAccount, timestamp: string): string =>
  createHash('sha256').update(`${merchant}${timestamp}${key}`).digest('hex');

export const duitkuStatusSignature = ({ merchant, key }: DuitkuAccount, order: string): string =>
  md5(`${merchant}${order}${key}`);

/** Of a callback, `amount` exactly as it came. It covers neither the result nor the reference. */
export const duitkuCallbackSignature = ({ merchant, key }: DuitkuAccount, amount: string, order: string): string =>
  md5(`${merchant}${amount}${order}${key}`);
