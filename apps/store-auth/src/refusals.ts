import { Conflict, Forbidden, NotFound, Rejected, type Failure } from '@platform/errors';

/** What this service refuses, with the codes that siblings read (design section 2). */
export const refusals = {
  /** One text, whatever was wrong, so that nobody learns who has an account. */
  login: (): Failure => new Rejected('email atau password salah'),
  otpRequired: (): Failure => new Rejected('kode otp diperlukan', { code: 'otp_required' }),
  otpInvalid: (): Failure => new Rejected('kode otp salah', { code: 'otp_invalid' }),
  /** Anybody can register somebody else's address: the password alone proves nothing about its owner. */
  emailUnverified: (): Failure => new Forbidden('konfirmasi alamat email dahulu', { code: 'email_unverified' }),
  passwordInvalid: (): Failure => new Rejected('password salah', { code: 'password_invalid' }),
  codeInvalid: (): Failure => new Rejected('kode tidak berlaku', { code: 'code_invalid' }),
  challengeInvalid: (): Failure => new Rejected('challenge tidak berlaku', { code: 'challenge_invalid' }),
  sessionEnded: (cause?: unknown): Failure => new Rejected('sesi sudah berakhir', { code: 'session_ended', cause }),
  notAMember: (): Failure => new Rejected('bukan anggota toko', { code: 'not_a_member' }),
  storeSuspended: (): Failure => new Forbidden('toko tidak aktif', { code: 'store_suspended' }),
  scopeMissing: (scope: string): Failure =>
    new Forbidden(`layanan ini tidak memiliki izin ${scope}`, { code: 'scope_missing' }),
  audienceNotAllowed: (): Failure => new Forbidden('audience tidak diizinkan', { code: 'audience_not_allowed' }),
  userNotFound: (): Failure => new NotFound('pengguna tidak ditemukan', { code: 'user_not_found' }),
  userExists: (): Failure => new Conflict('user_id sudah dipakai', { code: 'user_exists' }),
  emailTaken: (): Failure => new Conflict('email sudah terdaftar', { code: 'email_taken' }),
  storeTaken: (): Failure => new Conflict('store_id sudah dipakai', { code: 'store_taken' }),
  lastOwner: (): Failure => new Conflict('toko harus memiliki pemilik', { code: 'last_owner' }),
  twoFactorOn: (): Failure => new Conflict('verifikasi dua langkah sudah aktif', { code: 'two_factor_on' }),
  twoFactorOff: (): Failure => new Conflict('verifikasi dua langkah tidak aktif', { code: 'two_factor_off' }),
  twoFactorNotBegun: (): Failure =>
    new Conflict('verifikasi dua langkah belum dimulai', { code: 'two_factor_not_begun' }),
} as const;
