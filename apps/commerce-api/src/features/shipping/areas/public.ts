export type { Areas } from './areas';
export { PROVIDER_AWAY } from './areas.endpoints';
export { namesOfArea, withNames } from './areas.sql';
