import type { DeviceState } from '../../engines/engine.types';

/** After these nothing accepted earlier can leave any more. */
export const ACCOUNT_GONE: Partial<Record<DeviceState, string>> = { logged_out: 'LOGGED_OUT', banned: 'BANNED' };
