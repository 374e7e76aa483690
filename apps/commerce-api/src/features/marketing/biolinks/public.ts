export { PublicBiolinks, VIEWS } from './public.pages';
