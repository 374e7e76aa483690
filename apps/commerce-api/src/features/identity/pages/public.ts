export { emailCookie, knownEmail } from './known.email';
export { goesOn, personOf, type Proved } from './signed.in';
