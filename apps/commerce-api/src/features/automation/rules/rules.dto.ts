import { ruleMatches, type RuleMatch } from '@platform/contracts';
import { sortsOf } from '@platform/data';
import { Choice, clearing, Flag, Int, Nested, Text, Texts } from '@platform/validation';
import { PageQuery } from '../../../paging';

const sorts = sortsOf(['position']);
const MATCH = '`exact`: the whole text, `starts`: its beginning, `contains`: whole words in it; in any case';

export class RulesQuery extends PageQuery {
  @Choice(sorts, { optional: true, description: '`position` unless given' }) sort?: (typeof sorts)[number];
  @Flag({ optional: true }) active?: boolean;
}

export class RuleAnswer {
  @Text({ optional: true, max: 4096, description: 'At most 1024 characters where there is a file' }) text?: string;
  @Text({
    optional: true,
    format: 'uuid',
    description: 'A file that was uploaded as `message` or another public purpose',
  })
  media_id?: string;
}

export class RuleBody {
  @Choice(ruleMatches, { description: MATCH }) match!: RuleMatch;
  @Texts({ min: 1, max: 20, maxLength: 60 }) keywords!: string[];
  @Nested(() => RuleAnswer) reply!: RuleAnswer;
  @Texts({ optional: true, max: 100, maxLength: 36, description: 'For these devices alone; none: for all' })
  device_ids?: string[];
  @Flag({ optional: true, description: 'true unless given' }) active?: boolean;
}

export class RuleChange extends clearing(RuleBody, { device_ids: [] }) {}

export class RuleReply {
  @Text({ nullable: true }) text!: string | null;
  @Text({ nullable: true, format: 'uuid' }) media_id!: string | null;
}

/** The design's Rule (2.2). */
export class Rule {
  @Text({ format: 'uuid' }) id!: string;
  @Choice(ruleMatches, { description: MATCH }) match!: RuleMatch;
  @Texts() keywords!: string[];
  @Nested(() => RuleReply) reply!: RuleReply;
  @Texts({ description: 'None: for all devices' }) device_ids!: string[];
  @Flag() active!: boolean;
  @Int({ description: 'Of the rules that fit the one with the lowest answers' }) position!: number;
}

export class RuleOrder {
  @Texts({
    min: 1,
    max: 200,
    maxLength: 36,
    description: 'These first, in this order; the others stay behind them as they are',
  })
  ids!: string[];
}

export class TriedText {
  @Text({
    max: 65_536,
    dropNul: true,
    keepEmpty: true,
    description: 'As a customer would write it, up to what WhatsApp takes',
  })
  text!: string;
  @Text({ optional: true, format: 'uuid', description: 'To this device; absent: rules for all devices alone' })
  device_id?: string;
}

export class RuleThatFits {
  @Nested(() => Rule, { nullable: true, description: 'null: none answers' }) rule!: Rule | null;
}
