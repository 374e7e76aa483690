import { createHash } from 'node:crypto';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Header of a new invoice; `timestamp` in epoch milliseconds. */
export const createSignature = (merchant: string, timestamp: string, key: string): string =>
  createHash('sha256').update(`${merchant}${timestamp}${key}`).digest('hex');

/** Of a callback; `amount` as it is sent. It covers neither the result nor the reference. */
export const callbackSignature = (merchant: string, amount: string, order: string, key: string): string =>
  md5(`${merchant}${amount}${order}${key}`);

export const statusSignature = (merchant: string, order: string, key: string): string =>
  md5(`${merchant}${order}${key}`);
