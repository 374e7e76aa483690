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
export { MONEY, MOST_VARIANTS, ProductOption, Variant, VariantInput } from './variants.dto';
export { refuseForeignTags } from './tier.tags';
export { insertVariants, variantsOf } from './variants.sql';
export { VariantsService } from './variants.service';
