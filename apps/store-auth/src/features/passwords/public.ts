// What other features of this app may use.
export type { PasswordHasher } from './password-hasher';
export { PASSWORD_MAX, PASSWORD_MIN } from './password-rules';
export type { PasswordService } from './password.service';
