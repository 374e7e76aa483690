export { Attribution } from './attribution.dto';
export { claim, giveUp } from './claims';
export { safePage, safeTarget } from './addresses';
export { linksForget } from './forgetting';
export { attributionOf, DIRECT, isVague, SOURCE_LENGTH, sourceOf, sourceOfNew, WINDOW_DAYS } from './attribution.sql';
export { Utm, utmNames } from './utm.dto';
