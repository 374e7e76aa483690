import { Conflict, Forbidden, NotFound, type Failure } from '@platform/errors';

/** The business errors of design 2.1, texts and codes: answered 200 `result:false`. */
export const refusals = {
  chatNotFound: (): Failure => new NotFound('chat tidak ditemukan', { code: 'chat_not_found' }),
  deviceNotFound: (): Failure => new NotFound('device tidak ditemukan', { code: 'device_not_found' }),
  teamNotFound: (): Failure => new NotFound('team tidak ditemukan', { code: 'team_not_found' }),
  messageNotFound: (): Failure => new NotFound('pesan tidak ditemukan', { code: 'message_not_found' }),
  notificationNotFound: (): Failure => new NotFound('notifikasi tidak ditemukan', { code: 'notif_not_found' }),
  forbidden: (): Failure => new Forbidden('tidak punya akses', { code: 'forbidden' }),
  forbiddenTeam: (): Failure => new Forbidden('tidak punya akses ke team ini', { code: 'forbidden_team' }),
  userNotFound: (): Failure => new NotFound('user tidak ditemukan', { code: 'user_not_found' }),
  chatHandled: (nama: string): Failure => new Conflict(`chat sudah ditangani oleh ${nama}`, { code: 'chat_handled' }),
  chatFinished: (): Failure => new Conflict('chat sudah selesai', { code: 'chat_finished' }),
  chatBusy: (): Failure => new Conflict('chat sedang diproses, coba lagi', { code: 'chat_busy' }),
  deviceOffline: (): Failure => new Conflict('device tidak terhubung', { code: 'device_offline' }),
  templateNotFound: (): Failure => new NotFound('template tidak ditemukan', { code: 'template_not_found' }),
  ticketNotFound: (): Failure => new NotFound('ticket tidak ditemukan', { code: 'ticket_not_found' }),
  idTaken: (): Failure => new Conflict('id sudah dipakai', { code: 'id_taken' }),
  ticketClosed: (): Failure => new Conflict('ticket sudah ditutup', { code: 'ticket_closed' }),
  alreadyRated: (): Failure => new Conflict('ticket sudah dinilai', { code: 'already_rated' }),
  broadcastNotFound: (): Failure => new NotFound('broadcast tidak ditemukan', { code: 'broadcast_not_found' }),
  broadcastStarted: (data: object): Failure =>
    new Conflict('broadcast sudah dimulai', { code: 'broadcast_started', details: { data } }),
  broadcastChanged: (data: object): Failure =>
    new Conflict('broadcast sudah diubah', { code: 'version_conflict', details: { data } }),
  duplicate: (): Failure => new Conflict('pesan sudah diproses', { code: 'duplicate' }),
  tooBroad: (): Failure => new Conflict('pencarian terlalu luas', { code: 'too_broad' }),
  statusChanged: (details: Record<string, unknown> = {}): Failure =>
    new Conflict('status chat sudah berubah', { code: 'status_changed', details }),
} as const;

/** Of `AccessRepository.enter`: a team on a device. */
export const teamRefusals = [refusals.teamNotFound, refusals.forbiddenTeam, refusals.deviceNotFound] as const;
/** Of `ChatFinder.find`: a chat to change or to answer. */
export const chatRefusals = [...teamRefusals, refusals.chatNotFound, refusals.forbidden] as const;
/** The same where the call names whom it is from or for. */
export const actorRefusals = [...chatRefusals, refusals.userNotFound] as const;
