export { locales, RoleName, StoreName, UserView } from './profile.dto';
export { knownZone, userView } from './profile.service';
