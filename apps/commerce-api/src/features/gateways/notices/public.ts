export { anyOf, Notices, noticeRefusals, type PayoutNotices } from './notices';
