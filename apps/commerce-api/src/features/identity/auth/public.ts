export { LoginBody, SecondFactorNeeded, TokenReply } from './auth.dto';
export { CHALLENGE_SECONDS, tokenReply } from './auth.service';
