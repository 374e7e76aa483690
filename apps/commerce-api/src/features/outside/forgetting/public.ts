export { newsForget } from './news.forget';
