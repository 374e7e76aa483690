export { ruleCopies } from './rule.copy';
export { createRule, forgetDevice, type RuleParts } from './rules.sql';
export { rulesEndpoints } from './rules.endpoints';
