export { PhoneCodes } from './phone.codes';
export { PhoneCode } from './phone.dto';
