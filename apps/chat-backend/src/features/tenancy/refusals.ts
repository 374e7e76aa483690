import { Conflict, Forbidden, NotFound, type Failure } from '@platform/errors';

/** The business errors of design 2.1, texts and codes: answered 200 `result:false`. */
export const refusals = {
  chatNotFound: (): Failure => new NotFound('chat tidak ditemukan', { code: 'chat_not_found' }),
  deviceNotFound: (): Failure => new NotFound('device tidak ditemukan', { code: 'device_not_found' }),
  teamNotFound: (): Failure => new NotFound('team tidak ditemukan', { code: 'team_not_found' }),
  messageNotFound: (): Failure => new NotFound('pesan tidak ditemukan', { code: 'message_not_found' }),
  forbiddenTeam: (): Failure => new Forbidden('tidak punya akses ke team ini', { code: 'forbidden_team' }),
  chatBusy: (): Failure => new Conflict('chat sedang diproses, coba lagi', { code: 'chat_busy' }),
  duplicate: (): Failure => new Conflict('pesan sudah diproses', { code: 'duplicate' }),
  statusChanged: (): Failure => new Conflict('status chat sudah berubah', { code: 'status_changed' }),
} as const;
