export { Notices, noticeRefusals, type PayoutNotices } from './notices';
