export { WelcomeEdit, WelcomeWish, type Welcome } from './welcomes.dto';
export { saveWelcome, writeWelcome, type WelcomeParts } from './welcomes.service';
export { changeWelcome, forgetAgent, welcomeCopies, welcomeOf } from './welcomes.sql';
export { welcomesEndpoints } from './welcomes.endpoints';
