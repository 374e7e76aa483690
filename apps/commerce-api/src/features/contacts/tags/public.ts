export { knownTags, tagRefusals, tagsNamed } from './tags.sql';
export { TagName } from './tags.dto';
