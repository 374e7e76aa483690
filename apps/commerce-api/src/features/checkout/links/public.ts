export { onceEach, refuseBeyond } from './link.rules';
export { LinkLine, LinkSettings, MOST_LINES } from './links.dto';
export { viewed } from './links.sql';
