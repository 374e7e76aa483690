export { emailCookie, knownEmail } from './known.email';
export type { SignInService } from './sign-in.service';
export { goesOn, personOf, type Proved } from './signed.in';
