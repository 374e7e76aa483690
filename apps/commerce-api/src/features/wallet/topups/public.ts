export { NewTopup, Topup } from './topups.dto';
export { topupById, type TopupsService } from './topups.service';
