export { ruleCopies } from './rule.copy';
export { Rule, RuleAnswer, RuleBody, RuleChange, RulesQuery } from './rules.dto';
export {
  changeRule,
  createRule,
  deleteRule,
  editableOf,
  forgetDevice,
  moveRule,
  ruleFor,
  ruleListing,
  type RuleParts,
} from './rules.sql';
export { rulesEndpoints } from './rules.endpoints';
