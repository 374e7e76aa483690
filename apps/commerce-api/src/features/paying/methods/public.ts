export { buyersFee, refuseUnusable, usualTerms, type MethodTerms } from './method.rules';
export { OfferedMethod } from './methods.dto';
export { isSwitchedOn, methodsFor, termsIn } from './methods.sql';
