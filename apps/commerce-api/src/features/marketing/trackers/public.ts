export { linkOpened, type OpenedLink } from './opened.links';
export { CLICKS, ShortLinks } from './short.links';
export { trackerById } from './trackers.sql';
