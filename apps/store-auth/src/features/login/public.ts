// What other features of this app may use.
export type { Credentials, CredentialsService } from './credentials.service';
export { visitorOf } from './login.endpoints';
export type { LoginPace } from './login-pace';
