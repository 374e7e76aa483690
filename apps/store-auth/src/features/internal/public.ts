// What other features of this app may use.
export { UserView } from './identity.dto';
export { userView, type IdentityService } from './identity.service';
