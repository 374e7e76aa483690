export {
  freshSku,
  optionFaults,
  refuse,
  refuseCosts,
  variantFaults,
  variantRefusals,
  variantsFaults,
  violation,
} from './variant.rules';
export { MONEY, MOST_PIECES, MOST_VARIANTS, ProductOption, Variant, VariantChange, VariantInput } from './variants.dto';
export { inOptionOrder, optionPairs, optionWords } from './option.order';
export { refuseForeignTags } from './tier.tags';
export { insertVariants, variantById, variantsAsJson, variantsOf } from './variants.sql';
export { editableVariantOf, VariantsService, type Generating } from './variants.service';
