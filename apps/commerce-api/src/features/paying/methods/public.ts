export { accountClaims } from './account.claims';
export {
  buyersFee,
  credentialNames,
  isGatewayCode,
  methodRefusals,
  refuseUnusable,
  takes,
  termsNow,
  type GatewayCode,
  type Gateways,
  type MethodTerms,
  type SetTerms,
} from './method.rules';
export { MethodBody, methodCodes, MethodView, OfferedMethod, type MethodCode } from './methods.dto';
export { changeMethod, credentialsOf, editableOf, isSwitchedOn, methodsFor, methodsOf, termsIn } from './methods.sql';
