export { noticeTexts, usualWays, type Ways } from '../notice.events';
export { unreadOf } from './notices.sql';
export { eventsFor } from '../notice.audience';
