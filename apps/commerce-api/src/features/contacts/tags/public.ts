export { knownTags, LIVE, makeTags, sameTag, tagRefusals, tagsNamed } from './tags.sql';
export { tellContacts } from './tag.changed';
export { TagName } from './tags.dto';
