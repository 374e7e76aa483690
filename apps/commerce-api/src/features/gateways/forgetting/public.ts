export { noticesForget } from './notices.forget';
