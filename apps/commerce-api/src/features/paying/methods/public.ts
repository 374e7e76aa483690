export { accountClaims } from './account.claims';
export {
  buyersFee,
  isGatewayCode,
  methodRefusals,
  refuseUnusable,
  usualTerms,
  type GatewayCode,
  type Gateways,
  type MethodTerms,
} from './method.rules';
export { OfferedMethod } from './methods.dto';
export { credentialsOf, isSwitchedOn, methodsFor, termsIn } from './methods.sql';
