export { knownTags, LIVE, makeTags, sameTag, tagListing, tagRefusals, tagsNamed } from './tags.sql';
export { tellContacts } from './tag.changed';
export { TagName, TagsQuery } from './tags.dto';
