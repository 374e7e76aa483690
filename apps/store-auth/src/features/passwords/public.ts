// What other features of this app may use.
export { PASSWORD_MAX, PASSWORD_MIN } from './password-rules';
export type { PasswordService } from './password.service';
